import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type { FreezeState, LiftPreview, LiftRequest } from '@daylift/contracts/freeze.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatCost, formatCount } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { freeze } from '../../api.ts';
import { people } from '../../components/counted.ts';
import { inTime } from '../../components/durations.ts';
import { notifyDone } from '../../components/notify.ts';
import { isReachConfirmed, ReachConfirm } from '../../components/ReachConfirm.tsx';
import { freezeQuery, liftPreviewQuery } from './freeze.queries.ts';
import { texts } from './words.ts';

type Missed = LiftRequest['missed'];

const catchUpWords = (preview: LiftPreview): string => {
  if (preview.catch_up === 0) return 'Nobody waits for a text that is still in time.';
  const night =
    preview.at_night > 0
      ? ` For ${formatCount(preview.at_night)} of them it is night now (9 PM to 8 AM), in the hour that they chose.`
      : ' It is night for none of them.';
  const get = preview.catch_up === 1 ? 'gets' : 'get';
  const cost = formatCost(preview.estimated_cost, preview.currency);
  const about = preview.is_estimate ? 'About ' : '';
  return `${about}${people(preview.catch_up)} ${get} it now, for about ${cost}, within ${inTime(preview.drain_seconds)}.${night}`;
};

const Facts = ({ preview }: { preview: LiftPreview }) => (
  <Stack gap={4} component="ul" m={0} pl="lg">
    {preview.in_the_morning > 0 ? (
      <li>{people(preview.in_the_morning)} would get it at 8:00 AM their time.</li>
    ) : null}
    <li>
      {preview.too_late === 0
        ? 'For nobody it is too late already.'
        : `For ${people(preview.too_late)} it is too late already: they get nothing.`}
    </li>
    {preview.own_texts > 0 ? (
      <li>
        {texts(preview.own_texts)} of our own (welcome, request for a YES, answer, code) will go in
        any case.
      </li>
    ) : null}
  </Stack>
);

/** Starts sending again, with a choice for what was missed. */
export const LiftDialog = ({
  opened,
  state,
  onClose,
}: {
  opened: boolean;
  state: FreezeState | undefined;
  onClose: () => void;
}) => {
  const queryClient = useQueryClient();
  const [missed, setMissed] = useState<Missed>('catch_up');
  const [typed, setTyped] = useState('');
  const preview = useQuery({ ...liftPreviewQuery, enabled: opened });
  const lifting = useAction({
    mutationFn: (choice: Missed) =>
      freeze.lift({ missed: choice, ...(state?.since ? { since: state.since } : {}) }),
    onSuccess: async (next, choice) => {
      queryClient.setQueryData(freezeQuery.queryKey, next);
      notifyDone(
        choice === 'catch_up'
          ? 'Sending has started again. What is still in time goes now.'
          : 'Sending has started again, without what fell due meanwhile.',
      );
      close();
      await queryClient.invalidateQueries();
    },
  });
  const close = () => {
    lifting.reset();
    setMissed('catch_up');
    setTyped('');
    onClose();
  };
  const reached = missed === 'catch_up' ? (preview.data?.catch_up ?? 0) : 0;
  const problem = lifting.error ?? preview.error;
  return (
    <ConfirmDialog
      opened={opened}
      title="Start sending again?"
      confirmLabel="Start again"
      busy={lifting.isPending}
      ready={preview.data !== undefined && isReachConfirmed(reached, typed)}
      error={problem ? describeError('start sending again', problem) : null}
      onConfirm={() => lifting.mutate(missed)}
      onClose={close}
    >
      {preview.data ? (
        <Stack gap="md">
          <Radio.Group
            label="What could not leave meanwhile"
            value={missed}
            onChange={(value) => setMissed(value as Missed)}
          >
            <Stack gap="sm" mt="xs">
              <Radio
                size="md"
                value="catch_up"
                label="Catch up"
                description={catchUpWords(preview.data)}
              />
              <Radio
                size="md"
                value="skip"
                label="Skip it"
                description="Nobody gets it any more. Only what falls due from now on goes."
              />
            </Stack>
          </Radio.Group>
          <Facts preview={preview.data} />
          {state?.provider ? (
            <Text>
              The provider took no text before. One tries first; the others follow once it is taken.
            </Text>
          ) : null}
          <ReachConfirm
            people={reached}
            about={preview.data.is_estimate}
            typed={typed}
            onType={setTyped}
          />
        </Stack>
      ) : null}
      {preview.isPending && opened ? <TextSkeleton lines={4} /> : null}
    </ConfirmDialog>
  );
};
