import { describeError } from '@daylift/api-client/operators-errors';
import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorText } from '@daylift/ui/ErrorText';
import { formatCount } from '@daylift/ui/formats';
import { returnFocusToPage } from '@daylift/ui/keep-focus';
import { QueryView } from '@daylift/ui/QueryView';
import { Alert, Stack, Text } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import { Section } from '../../components/Section.tsx';
import { failedQuery } from '../../shared.queries.ts';
import { FailedGroup } from './FailedGroup.tsx';
import { describeLoss, describeType, groupItems, type Item, serviceName } from './words.ts';

const useReplay = (refresh: () => Promise<void>) => {
  const [failure, setFailure] = useState<string | null>(null);
  /** A replayed event's button is gone, so its focus moves to the page. */
  const settle = async () => {
    await refresh();
    returnFocusToPage();
  };
  const replay = useAction({
    mutationFn: ({ service, id }: Item) =>
      call(`POST /admin/parked/${service}/:id/replay`, { params: { id } }),
    onMutate: () => setFailure(null),
    onSuccess: ({ outcome, error }, item) => {
      if (outcome === 'replayed') notifyDone(`Replayed: ${describeType(item)}.`);
      else setFailure(`Replay failed: ${error ?? ''}`);
    },
    onError: (error) => setFailure(describeError('replay failed event', error)),
    onSettled: settle,
  });
  const replayAll = useAction({
    mutationFn: ({ service, kind, type }: Item) =>
      call(`POST /admin/parked/${service}/replay-all`, { body: { kind, type } }),
    onMutate: () => setFailure(null),
    onSuccess: ({ replayed, parked, left }) => {
      if (replayed > 0) notifyDone(`${formatCount(replayed)} replayed.`);
      const problems = [
        parked > 0 ? `${formatCount(parked)} failed again; see their errors below.` : '',
        left > 0 ? `${formatCount(left)} not replayed yet. Replay all again to continue.` : '',
      ];
      if (parked + left > 0) setFailure(problems.join(' ').trim());
    },
    onError: (error) => setFailure(describeError('replay failed event', error)),
    onSettled: settle,
  });
  return { failure, replay, replayAll };
};

const DiscardDialog = ({
  item,
  onClose,
  onDone,
}: {
  item: Item | null;
  onClose: () => void;
  onDone: () => Promise<void>;
}) => {
  const discard = useAction({
    mutationFn: ({ service, id }: Item) =>
      call(`POST /admin/parked/${service}/:id/discard`, { params: { id } }),
    onSuccess: async () => {
      notifyDone('Discarded.');
      onClose();
      await onDone();
    },
  });
  return (
    <ActionDialog
      input={item}
      mutation={discard}
      action="discard failed event"
      title="Discard permanently?"
      confirmLabel="Discard"
      tone="danger"
      onClose={onClose}
    >
      {item ? (
        <Stack gap="sm">
          <Text fw={700}>
            {serviceName(item.service)}: {describeType(item)}
          </Text>
          <Text>{describeLoss(item)} This can't be undone.</Text>
        </Stack>
      ) : null}
    </ActionDialog>
  );
};

export const FailedTab = () => {
  const refresh = useRefresh('failed');
  const query = useQuery(failedQuery);
  const { data } = query;
  const [discarding, setDiscarding] = useState<Item | null>(null);
  const { failure, replay, replayAll } = useReplay(refresh);
  const actions = {
    onReplay: replay.mutate,
    onReplayAll: replayAll.mutate,
    onDiscard: setDiscarding,
    busy: replay.isPending ? replay.variables.id : null,
  };
  return (
    <>
      <Section title="Failed events">
        <Text>
          These stopped after repeated failures. Fix the cause, then replay. Replaying is safe: it
          takes effect once and never overwrites newer data.
        </Text>
        {data && data.total > data.items.length ? (
          <Text mt="sm">
            Showing the oldest {formatCount(data.items.length)} of {formatCount(data.total)}.
          </Text>
        ) : null}
        {data?.unavailable.map((service) => (
          <Alert key={service} color="red" mt="md" role="alert">
            {serviceName(service)} is unavailable, so its failed events aren't listed.
          </Alert>
        ))}
        {failure ? <ErrorText mt="md">{failure}</ErrorText> : null}
        <QueryView query={query} lines={4}>
          {({ items, unavailable }) =>
            items.length === 0 && unavailable.length === 0 ? (
              <EmptyState picture={<IconMoodSmile size={30} />} title="No failed events">
                All events were processed.
              </EmptyState>
            ) : null
          }
        </QueryView>
      </Section>
      {groupItems(data?.items ?? []).map((group) => (
        <FailedGroup key={group.key} group={group} actions={actions} />
      ))}
      <DiscardDialog item={discarding} onClose={() => setDiscarding(null)} onDone={refresh} />
    </>
  );
};
