import { describeError } from '@daylift/api-client/operators-errors';
import { useAction } from '@daylift/api-client/use-action';
import type { FreezeState, LiftPreview, LiftRequest } from '@daylift/contracts/freeze.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatCount, formatEstimate } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Radio, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { people } from '../../components/counted.ts';
import { inTime } from '../../components/durations.ts';
import { notifyDone } from '../../components/notify.ts';
import { isReachConfirmed, ReachConfirm } from '../../components/ReachConfirm.tsx';
import { freezeQuery } from '../../shared.queries.ts';
import { liftPreviewQuery } from './freeze.queries.ts';
import { texts } from './words.ts';

type Missed = LiftRequest['missed'];

const about = (preview: LiftPreview): string => (preview.is_estimate ? 'About ' : '');

const catchUpWords = (preview: LiftPreview): string => {
  if (preview.catch_up === 0) return 'No waiting texts are still on time.';
  const night =
    preview.at_night > 0
      ? ` ${formatCount(preview.at_night)} of them ${preview.at_night === 1 ? 'is' : 'are'} in quiet hours (9 PM to 8 AM) but chose this hour.`
      : ' None are in quiet hours.';
  const get = preview.catch_up === 1 ? 'gets' : 'get';
  const cost = formatEstimate(preview.estimated_cost, preview.currency);
  return `${about(preview)}${people(preview.catch_up)} ${get} their text now, for ${cost}, within ${inTime(preview.drain_seconds)}.${night}`;
};

const skipWords = (preview: LiftPreview): string => {
  const skipped =
    preview.skip > 0 ? `${about(preview)}${people(preview.skip)} won't get theirs. ` : '';
  return `${skipped}Later texts go out as planned.`;
};

const Facts = ({ preview }: { preview: LiftPreview }) => (
  <Stack gap={4} component="ul" m={0} pl="lg">
    {preview.in_the_morning > 0 ? (
      <li>{people(preview.in_the_morning)} would get theirs at 8:00 AM their time.</li>
    ) : null}
    <li>
      {preview.too_late === 0
        ? 'No texts have expired.'
        : `Too late for ${people(preview.too_late)}: their texts won't be sent.`}
    </li>
    {preview.own_texts > 0 ? (
      <li>
        {texts(preview.own_texts)} of other kinds (welcome, consent request, reply, code) will be
        sent either way. In quiet hours (9 PM to 8 AM their time), late welcomes and consent
        requests wait for the morning.
      </li>
    ) : null}
  </Stack>
);

/** Resumes sending, with a choice for the texts that fell due during the freeze. */
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
      call('POST /admin/freeze/lift', {
        body: { missed: choice, ...(state?.since ? { since: state.since } : {}) },
      }),
    onSuccess: async (next, choice) => {
      queryClient.setQueryData(freezeQuery.queryKey, next);
      notifyDone(
        choice === 'catch_up'
          ? 'Sending resumed. Texts that are still on time are going out now.'
          : 'Sending resumed. Texts from the freeze were skipped.',
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
      title="Resume sending?"
      confirmLabel="Resume sending"
      busy={lifting.isPending}
      ready={preview.data !== undefined && isReachConfirmed(reached, typed)}
      error={problem ? describeError('resume sending', problem) : null}
      onConfirm={() => lifting.mutate(missed)}
      onClose={close}
    >
      {preview.data ? (
        <Stack gap="md">
          <Radio.Group
            label="Texts held by the freeze"
            value={missed}
            onChange={(value) => setMissed(value as Missed)}
          >
            <Stack gap="sm" mt="xs">
              <Radio
                size="md"
                value="catch_up"
                label="Send them now"
                description={catchUpWords(preview.data)}
              />
              <Radio
                size="md"
                value="skip"
                label="Skip them"
                description={skipWords(preview.data)}
              />
            </Stack>
          </Radio.Group>
          <Facts preview={preview.data} />
          {state?.provider ? (
            <Text>
              The provider was {state.provider.kind === 'down' ? 'down' : 'rejecting texts'}. One
              text goes first as a test; the rest follow if it's accepted.
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
