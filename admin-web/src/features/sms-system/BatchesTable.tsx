import { useAction } from '@daylift/api-client/use-action';
import type { SmsBatch } from '@daylift/contracts/sms.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { counted } from '../../components/counted.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { RowButton } from '../../components/RowButton.tsx';
import { Time } from '../../components/Time.tsx';
import { useMay } from '../../session/use-admin.ts';
import { batchesQuery } from '../../shared.queries.ts';

interface BatchState {
  label: string;
  tone: BadgeTone;
}
const states: Record<SmsBatch['status'], BatchState> = {
  pending: { label: 'Pending', tone: 'grey' },
  processing: { label: 'Processing', tone: 'sky' },
  completed: { label: 'Completed', tone: 'green' },
  failed: { label: 'Failed', tone: 'red' },
  stopped: { label: 'Held', tone: 'red' },
};

const countDone = (batch: SmsBatch): number =>
  batch.completed_jobs +
  batch.failed_jobs +
  (batch.missed_jobs ?? 0) +
  batch.opted_out_jobs +
  batch.skipped_jobs;

const countHeld = (batch: SmsBatch): number =>
  batch.stop ? batch.total_jobs - countDone(batch) : 0;

const stateOf = ({ status, failed_jobs, skipped_jobs, total_jobs }: SmsBatch): BatchState => {
  if (total_jobs > 0 && skipped_jobs === total_jobs) return { label: 'Skipped', tone: 'grey' };
  if (status === 'failed' && failed_jobs === 0) return { label: 'Missed', tone: 'red' };
  return states[status];
};

const BatchProgress = ({ batch }: { batch: SmsBatch }) => {
  const done = countDone(batch);
  return (
    <Stack gap={4} miw="8rem">
      <Text fz="sm">
        {formatCount(done)} of {formatCount(batch.total_jobs)}
      </Text>
      <Progress
        value={batch.total_jobs === 0 ? 100 : (done / batch.total_jobs) * 100}
        size="sm"
        aria-label={`Progress of ${batch.name}`}
      />
    </Stack>
  );
};

const Hold = ({ batch }: { batch: SmsBatch }) => {
  if (countHeld(batch) === 0) return null;
  return batch.stop?.resumes_at ? (
    <>
      Resumes at <Time at={batch.stop.resumes_at} />.
    </>
  ) : (
    'Held until an operator resumes it. Texts whose send window ends first are never sent.'
  );
};

const columns: Column<SmsBatch>[] = [
  { header: 'Batch', cell: (batch) => <Text fw={700}>{batch.name}</Text> },
  { header: 'Created', cell: (batch) => <Time at={batch.created_at} /> },
  { header: 'Progress', cell: (batch) => <BatchProgress batch={batch} /> },
  { header: 'Completed', cell: (batch) => formatCount(batch.completed_jobs), numeric: true },
  { header: 'Failed', cell: (batch) => formatCount(batch.failed_jobs), numeric: true },
  { header: 'Missed', cell: (batch) => formatCount(batch.missed_jobs ?? 0), numeric: true },
  { header: 'Opted out', cell: (batch) => formatCount(batch.opted_out_jobs), numeric: true },
  { header: 'Skipped', cell: (batch) => formatCount(batch.skipped_jobs), numeric: true },
  {
    header: 'Failure rate',
    cell: (batch) => `${Math.round(batch.failure_rate * 10) / 10}%`,
    numeric: true,
  },
  {
    header: 'Status',
    cell: (batch) => (
      <div>
        <Badge tone={stateOf(batch).tone}>{stateOf(batch).label}</Badge>
        {batch.stop ? (
          <Text fz="sm" c="dimmed" mt={4}>
            {batch.stop.reason} <Hold batch={batch} />
          </Text>
        ) : null}
      </div>
    ),
  },
];

const heldOf = (batch: SmsBatch | null) =>
  batch ? counted(countHeld(batch), 'held text', 'held texts') : '';

export const BatchesTable = () => {
  const query = useQuery(batchesQuery);
  const may = useMay('operator');
  const queryClient = useQueryClient();
  const [resumed, setResumed] = useState<SmsBatch | null>(null);
  const [canceled, setCanceled] = useState<SmsBatch | null>(null);
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: batchesQuery.queryKey });
  const resuming = useAction({
    mutationFn: ({ id }: SmsBatch) =>
      call('POST /admin/sms-batches/:id/resume', { params: { id } }),
    onSuccess,
  });
  const canceling = useAction({
    mutationFn: ({ id }: SmsBatch) =>
      call('POST /admin/sms-batches/:id/cancel', { params: { id } }),
    onSuccess,
  });
  const buttons: Column<SmsBatch> = {
    header: 'Actions',
    numeric: true,
    cell: (batch) =>
      countHeld(batch) > 0 ? (
        <Group gap="xs" justify="flex-end">
          <RowButton label="Cancel" row={batch.name} onClick={() => setCanceled(batch)} />
          <RowButton label="Resume" row={batch.name} onClick={() => setResumed(batch)} />
        </Group>
      ) : null,
  };
  return (
    <QueryView
      query={query}
      lines={5}
      empty={<EmptyState title="No batches yet">Batches appear when texts are sent.</EmptyState>}
    >
      {(data) => (
        <>
          <DataTable
            label="Recent batches"
            columns={
              may && data.some((batch) => countHeld(batch) > 0) ? [...columns, buttons] : columns
            }
            rows={data}
            rowKey={(batch) => batch.id}
            firstOnPhone={5}
          />
          <ActionDialog
            input={resumed}
            mutation={resuming}
            action="resume batch"
            done={() => 'Batch resumed.'}
            title={`Resume ${resumed?.name}?`}
            confirmLabel="Resume"
            onClose={() => setResumed(null)}
          >
            <Text>
              {resumed?.stop?.reason} Fix the cause first; if it's the message's wording, cancel the
              held texts instead. Resuming sends those of the {heldOf(resumed)} that are still
              within their send window, unchanged.
            </Text>
          </ActionDialog>
          <ActionDialog
            input={canceled}
            mutation={canceling}
            action="cancel batch"
            done={() => 'Held texts canceled.'}
            title={`Cancel the held texts of ${canceled?.name}?`}
            confirmLabel="Cancel held texts"
            cancelLabel="Keep"
            tone="danger"
            onClose={() => setCanceled(null)}
          >
            <Text>{heldOf(canceled)} won't be sent. This can't be undone.</Text>
          </ActionDialog>
        </>
      )}
    </QueryView>
  );
};
