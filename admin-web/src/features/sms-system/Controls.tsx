import type { Action } from '@daylift/api-client/operators-errors';
import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { SchedulerStatus } from '@daylift/contracts/scheduler.http';
import { formatCost, formatCount } from '@daylift/ui/formats';
import { Button, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { counted, people } from '../../components/counted.ts';
import { notifyDone } from '../../components/notify.ts';
import { isReachConfirmed, ReachConfirm } from '../../components/ReachConfirm.tsx';
import { Section } from '../../components/Section.tsx';
import { type PageAction, useRequestedAction } from '../../components/use-requested-action.ts';
import { useMay } from '../../session/use-admin.ts';
import { ExportDialog } from './ExportDialog.tsx';
import { providerQuery, statusQuery } from './sms-system.queries.ts';

interface Control {
  pageAction: PageAction;
  action: Action;
  label: string;
  question: string;
  explanation: string;
  /** Returns the maximum number of people reached. */
  reach: (status: SchedulerStatus) => number;
  /** Returns the reach and cost as a sentence. */
  describe: (people: string, cost: string) => string;
  /** Runs the action and returns the result message. */
  run: () => Promise<string>;
}

const controls: Control[] = [
  {
    pageAction: 'run-scheduler',
    action: 'run scheduler',
    label: 'Run Scheduler',
    question: 'Run the scheduler now?',
    explanation:
      'Queues all texts that are due now. No one gets a second text today or a text before their hour.',
    reach: (status) => status.users_due_for_messages,
    describe: (people, cost) => `${people} due this hour. Estimated maximum cost: ${cost}.`,
    run: async () => {
      const { scheduled } = await call('POST /admin/scheduler/run');
      return scheduled === 0
        ? 'No texts are due right now.'
        : `${counted(scheduled, 'text', 'texts')} queued.`;
    },
  },
  {
    pageAction: 'process-queue',
    action: 'process queue',
    label: 'Process Queue',
    question: 'Process the queue now?',
    explanation: 'Sends queued texts until the queue is empty, for up to 20 seconds.',
    reach: (status) => status.pending_jobs + status.processing_jobs,
    describe: (people, cost) => `${people} waiting for a text. Estimated cost: ${cost}.`,
    run: async () => {
      const { processed, failed, total } = await call('POST /admin/scheduler/process-queue');
      return `${formatCount(processed)} of ${counted(total, 'text', 'texts')} processed, ${formatCount(failed)} failed.`;
    },
  },
];

const peopleAre = (count: number): string => `${people(count)} ${count === 1 ? 'is' : 'are'}`;

/** Explains what the action would do, with current numbers. */
const Explanation = ({ control, reach }: { control: Control; reach: number | undefined }) => {
  const provider = useQuery(providerQuery).data;
  const cost =
    provider === undefined || reach === undefined
      ? null
      : formatCost(Number(provider.cost_per_part) * reach, provider.currency);
  return (
    <Stack gap="sm">
      <Text>{control.explanation}</Text>
      {reach === undefined ? null : (
        <Text fw={700}>
          {reach === 0
            ? 'No texts are due or waiting.'
            : control.describe(peopleAre(reach), cost ?? '…')}
        </Text>
      )}
      {provider?.pause ? (
        <Text c="var(--dl-danger)">
          Sending is paused because of a provider problem, so no texts will go out now.
        </Text>
      ) : null}
    </Stack>
  );
};

export const Controls = () => {
  const queryClient = useQueryClient();
  const refresh = useRefresh('sms-system');
  const may = useMay('operator');
  const status = useQuery(statusQuery).data;
  const [confirming, setConfirming] = useState<Control | null>(null);
  const [typed, setTyped] = useState('');
  const [exporting, setExporting] = useState(false);
  useRequestedAction(
    Object.fromEntries(controls.map((one) => [one.pageAction, () => setConfirming(one)])),
  );
  const refreshing = useAction({
    // A query that fails says so by itself.
    mutationFn: () =>
      queryClient.refetchQueries(
        { queryKey: ['sms-system'], type: 'active' },
        { throwOnError: true },
      ),
    onSuccess: () => notifyDone('All figures are up to date.'),
  });
  const running = useAction({
    mutationFn: (control: Control) => control.run(),
    onSuccess: async (message) => {
      notifyDone(message);
      close();
      await refresh();
    },
  });
  const close = () => {
    setTyped('');
    setConfirming(null);
  };
  const reach = confirming && status ? confirming.reach(status) : undefined;
  return (
    <Section
      title="Controls"
      actions={
        <>
          {controls.map((control) => (
            <Button key={control.label} disabled={!may} onClick={() => setConfirming(control)}>
              {control.label}
            </Button>
          ))}
          <Button variant="default" disabled={!may} onClick={() => setExporting(true)}>
            Export CSV
          </Button>
          <Button
            variant="default"
            loading={refreshing.isPending}
            onClick={() => refreshing.mutate()}
          >
            Refresh Status
          </Button>
        </>
      }
    >
      <Text c="dimmed">
        {may
          ? 'The scheduler and queue run automatically. Use these to run them immediately.'
          : 'Only operators can run the scheduler, process the queue and export the report.'}
      </Text>
      <ActionDialog
        input={confirming}
        mutation={running}
        action={confirming?.action}
        title={confirming?.question ?? ''}
        confirmLabel={confirming?.label ?? ''}
        ready={isReachConfirmed(reach ?? 0, typed)}
        onClose={close}
      >
        {confirming ? (
          <Stack gap="sm">
            <Explanation control={confirming} reach={reach} />
            <ReachConfirm people={reach ?? 0} typed={typed} onType={setTyped} />
          </Stack>
        ) : null}
      </ActionDialog>
      <ExportDialog opened={exporting} onClose={() => setExporting(false)} />
    </Section>
  );
};
