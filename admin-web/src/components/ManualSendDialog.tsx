import { describeError } from '@daylift/api-client/operators-errors';
import { ApiError } from '@daylift/api-client/request';
import { useAction } from '@daylift/api-client/use-action';
import type { ManualSendPreview, ManualSendResult } from '@daylift/contracts/scheduler.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatCount, formatEstimate, formatLocalDate } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Alert, Checkbox, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../paths.ts';
import { contentCalendarQuery, freezeQuery, testingModeQuery } from '../shared.queries.ts';
import { counted, people } from './counted.ts';
import type { ManualSend } from './manual-send.ts';
import { notifyDone, notifyFailed } from './notify.ts';
import { isReachConfirmed, ReachConfirm } from './ReachConfirm.tsx';

const describeResult = (result: ManualSendResult): string => {
  const parts = [
    `"${result.scheduled_message_title}": ${formatCount(result.successful_sends)} of ${people(result.total_recipients)} reached`,
  ];
  if (result.failed_sends > 0) parts.push(`${formatCount(result.failed_sends)} failed`);
  if (result.pending > 0) parts.push(`${formatCount(result.pending)} in progress`);
  if (result.held > 0) parts.push(`${formatCount(result.held)} held until 8:00 AM their time`);
  return `${parts.join(', ')}.`;
};

const offDay = ({ off_day, is_estimate }: ManualSendPreview): string =>
  `${is_estimate ? 'About ' : ''}${counted(off_day, 'recipient is', 'recipients are')} on a weekly plan with ` +
  'another day. They get this in addition to their weekly text.';

const Preview = ({
  preview,
  hold,
  onHold,
}: {
  preview: ManualSendPreview;
  hold: boolean;
  onHold: (hold: boolean) => void;
}) => {
  const about = preview.is_estimate ? 'about ' : '';
  if (preview.recipients === 0) {
    return (
      <Text>
        <strong>{preview.scheduled_message_title}</strong> would reach no one: every eligible
        subscriber already got a text today.
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Text>
        This sends <strong>{preview.scheduled_message_title}</strong> to{' '}
        <strong>
          {about}
          {people(preview.recipients)}
        </strong>{' '}
        for <strong>{formatEstimate(preview.estimated_cost, preview.currency)}</strong>
        {preview.parts_per_text > 1 ? ` (${preview.parts_per_text} parts each)` : ''}.{' '}
        {preview.category === 'announcement'
          ? "It is sent in addition to today's text"
          : "It replaces today's text"}{' '}
        and can't be undone.
      </Text>
      {preview.is_early ? (
        <Text>
          This message is scheduled for {formatLocalDate(preview.scheduled_date)}. Sending it now
          frees that date: subscribers will get a library text then, unless you schedule another
          message.
        </Text>
      ) : null}
      {preview.off_day > 0 ? <Text>{offDay(preview)}</Text> : null}
      {preview.in_quiet_hours > 0 ? (
        <Checkbox
          checked={hold}
          onChange={(event) => onHold(event.currentTarget.checked)}
          label={`Hold until 8:00 AM their time for the ${about}${people(preview.in_quiet_hours)} in quiet hours now (9 PM to 8 AM)`}
        />
      ) : (
        <Text c="dimmed" fz="sm">
          None of them are in quiet hours (9 PM to 8 AM) now.
        </Text>
      )}
    </Stack>
  );
};

const TestingNotice = () => {
  const { data } = useQuery(testingModeQuery);
  return data?.testing_mode_enabled ? (
    <Alert color="yellow" title="Testing mode is on">
      Texts go to {data.test_phone_number}, not to subscribers. Texts that are held or wait until
      you turn it off go to subscribers.
    </Alert>
  ) : null;
};

const FrozenNotice = () =>
  useQuery(freezeQuery).data?.frozen ? (
    <Alert color="yellow" title="Sending is frozen">
      These texts wait until someone resumes sending, and expire if that takes too long.
    </Alert>
  ) : null;

const NothingToSend = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => {
  const navigate = useNavigate();
  const { data, isError } = useQuery(contentCalendarQuery);
  const today = data?.days[0]?.date;
  return (
    <ConfirmDialog
      opened={opened}
      title="No message for today"
      confirmLabel="Schedule Today's Message"
      ready={today !== undefined || isError}
      onConfirm={() => {
        onClose();
        void navigate(today === undefined ? paths.messages : paths.messageFor(today));
      }}
      onClose={onClose}
    >
      <Text>No message is scheduled for today. Subscribers get one from the template library.</Text>
    </ConfirmDialog>
  );
};

/** Shows the reach and cost of a send before it goes out. Open while `send` is set. */
export const ManualSendDialog = ({
  send,
  onClose,
}: {
  send: ManualSend | null;
  onClose: () => void;
}) => {
  const queryClient = useQueryClient();
  const [hold, setHold] = useState(true);
  const [typed, setTyped] = useState('');
  const { data, isPending, error } = useQuery({
    queryKey: ['send-preview', send?.key],
    queryFn: ({ signal }) => (send as ManualSend).preview(signal),
    enabled: send !== null,
    staleTime: 0,
    gcTime: 0,
    // A refetch must not change the number while the operator types it.
    refetchOnWindowFocus: false,
  });
  const sending = useAction({
    // Also when the preview has none in quiet hours: it may be an estimate, and time passes.
    mutationFn: ({ one, previewed }: { one: ManualSend; previewed: ManualSendPreview }) =>
      one.send({ hold_quiet_hours: hold }, previewed),
    onSuccess: async (result) => {
      const notify = result.failed_sends > result.successful_sends ? notifyFailed : notifyDone;
      notify(describeResult(result));
      close();
      await queryClient.invalidateQueries();
    },
  });
  const close = () => {
    sending.reset();
    setHold(true);
    setTyped('');
    onClose();
  };
  const problem = error ?? sending.error;
  if (error instanceof ApiError && error.code === 'NO_MESSAGE_TODAY')
    return <NothingToSend opened={send !== null} onClose={close} />;
  return (
    <ConfirmDialog
      opened={send !== null}
      title="Send this message now?"
      confirmLabel="Send Now"
      busy={sending.isPending}
      ready={data !== undefined && data.recipients > 0 && isReachConfirmed(data.recipients, typed)}
      error={send && problem ? describeError(send.action, problem) : null}
      onConfirm={() => send && data && sending.mutate({ one: send, previewed: data })}
      onClose={close}
    >
      {data ? (
        <Stack gap="md">
          <TestingNotice />
          <FrozenNotice />
          <Preview preview={data} hold={hold} onHold={setHold} />
          <ReachConfirm
            people={data.recipients}
            about={data.is_estimate}
            typed={typed}
            onType={setTyped}
          />
        </Stack>
      ) : null}
      {isPending ? <TextSkeleton lines={3} /> : null}
    </ConfirmDialog>
  );
};
