import { useAction } from '@daylift/api-client/use-action';
import type { Sender, SenderState } from '@daylift/contracts/senders.http';
import { formatCount } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionDialog } from '../../components/ActionDialog.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { RowButton } from '../../components/RowButton.tsx';
import { Section } from '../../components/Section.tsx';
import { Time } from '../../components/Time.tsx';
import { useMay } from '../../session/use-admin.ts';
import { SenderForm } from './SenderForm.tsx';
import { senderTypes } from './sender-types.ts';
import { sendersQuery } from './sms-system.queries.ts';

const states: Record<SenderState, { label: string; tone: BadgeTone }> = {
  active: { label: 'Active', tone: 'green' },
  draining: { label: 'Draining', tone: 'yellow' },
  paused: { label: 'Paused', tone: 'red' },
};

const limitsOf = (sender: Sender) =>
  [
    `${formatCount(sender.per_second)} per second`,
    sender.per_minute === null ? null : `${formatCount(sender.per_minute)} per minute`,
    sender.per_day === null ? null : `${formatCount(sender.per_day)} per day`,
    sender.att_per_minute === null
      ? null
      : `AT&T: ${formatCount(sender.att_per_minute)} per minute`,
    sender.tmobile_per_day === null
      ? null
      : `T-Mobile: ${formatCount(sender.tmobile_per_day)} per day`,
  ].filter((limit) => limit !== null);

/** The server stops counting there. */
const maxCounted = 10_000;
const formatSubscribers = (count: number): string =>
  `${formatCount(count)}${count === maxCounted ? '+' : ''}`;

const columns: Column<Sender>[] = [
  {
    header: 'Number',
    cell: (sender) => (
      <Stack gap={0}>
        <Text fw={700}>{sender.number}</Text>
        <Text fz="sm" c="dimmed">
          {senderTypes[sender.type]}, {sender.country}
        </Text>
      </Stack>
    ),
  },
  {
    header: 'State',
    cell: ({ state, slowed_until }) => (
      <Stack gap={4} align="flex-start">
        <Badge tone={states[state].tone}>{states[state].label}</Badge>
        {slowed_until ? (
          <Text fz="sm" c="dimmed">
            Slowed by a carrier until <Time at={slowed_until} />
          </Text>
        ) : null}
      </Stack>
    ),
  },
  {
    header: 'Limits',
    cell: (sender) => limitsOf(sender).map((limit) => <Text key={limit}>{limit}</Text>),
  },
  { header: 'Subscribers', cell: (sender) => formatSubscribers(sender.subscribers), numeric: true },
  { header: 'Sent this hour', cell: (sender) => formatCount(sender.sent), numeric: true },
  { header: 'Failed this hour', cell: (sender) => formatCount(sender.failed), numeric: true },
];

interface Change {
  number: string;
  state: SenderState;
}

const changes: Record<SenderState, { label: string; explain: string }> = {
  active: { label: 'Activate', explain: 'It sends again and gets new subscribers.' },
  draining: {
    label: 'Drain',
    explain:
      'It gets no new subscribers, and its subscribers move to another number with their next text. Replies still go out from it.',
  },
  paused: {
    label: 'Pause',
    explain:
      'Nothing is sent from it. Texts of its subscribers wait, and are missed if they wait too long.',
  },
};
const order: SenderState[] = ['active', 'draining', 'paused'];

const explainChange = ({ number, state }: Change, senders: Sender[]): string => {
  const isLast = !senders.some((one) => one.state === 'active' && one.number !== number);
  return state === 'paused' && isLast
    ? `No other number is active. ${changes[state].explain}`
    : changes[state].explain;
};

const Pool = ({ senders }: { senders: Sender[] }) => {
  const may = useMay('operator');
  const queryClient = useQueryClient();
  const [confirming, setConfirming] = useState<Change | null>(null);
  const [isAdding, setAdding] = useState<boolean>();
  const saving = useAction({
    mutationFn: ({ number, state }: Change) =>
      call('PUT /admin/senders/:number', { params: { number }, body: { state } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sendersQuery.queryKey }),
  });
  const buttons: Column<Sender> = {
    header: 'Actions',
    numeric: true,
    cell: ({ number, state: current }) => (
      <Group gap="xs" justify="flex-end">
        {order
          .filter((state) => state !== current)
          .map((state) => (
            <RowButton
              key={state}
              label={changes[state].label}
              row={number}
              onClick={() => setConfirming({ number, state })}
            />
          ))}
      </Group>
    ),
  };
  return (
    <Stack gap="md">
      <DataTable
        label="Senders"
        columns={may ? [...columns, buttons] : columns}
        rows={senders}
        rowKey={({ number }) => number}
      />
      {may && !isAdding ? (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          autoFocus={isAdding === false}
          onClick={() => setAdding(true)}
        >
          Add sender
        </Button>
      ) : null}
      {isAdding ? <SenderForm onClose={() => setAdding(false)} /> : null}
      <ActionDialog
        input={confirming}
        mutation={saving}
        action="change sender"
        done={(sender) => `${sender.number} is ${states[sender.state].label.toLowerCase()}.`}
        title={confirming ? `${changes[confirming.state].label} ${confirming.number}?` : ''}
        confirmLabel={confirming ? changes[confirming.state].label : ''}
        onClose={() => setConfirming(null)}
      >
        <Text>{confirming ? explainChange(confirming, senders) : null}</Text>
      </ActionDialog>
    </Stack>
  );
};

export const SendersCard = () => {
  const query = useQuery(sendersQuery);
  return (
    <Section title="Senders">
      <QueryView query={query} lines={4}>
        {({ account_per_second, senders }) => (
          <Stack gap="md">
            <Text c="dimmed">
              Each subscriber keeps the same sender unless it's drained. The account sends at most{' '}
              {formatCount(account_per_second)} texts per second over all numbers. Drain moves a
              number's subscribers to the others; Pause stops it at once.
            </Text>
            <Pool senders={senders} />
          </Stack>
        )}
      </QueryView>
    </Section>
  );
};
