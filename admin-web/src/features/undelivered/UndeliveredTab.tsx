import { describeError } from '@daylift/api-client/operators-errors';
import type { UndeliveredGroup, UndeliveredOutcome } from '@daylift/contracts/undelivered.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button, Stack, Text, TextInput, Title, VisuallyHidden } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { UndeliveredSubscribers } from './UndeliveredSubscribers.tsx';
import { undeliveredQuery } from './undelivered.queries.ts';

const outcomes: Record<UndeliveredOutcome, { label: string; tone: BadgeTone }> = {
  waiting: { label: 'Waiting', tone: 'sky' },
  missed: { label: 'Missed', tone: 'red' },
  refused: { label: 'Rejected', tone: 'red' },
  failed: { label: 'Failed', tone: 'red' },
  unknown: { label: 'Unknown', tone: 'yellow' },
  testing: { label: 'Test', tone: 'grey' },
  skipped: { label: 'Skipped', tone: 'grey' },
};

const columns = (onShow: (key: string) => void): Column<UndeliveredGroup>[] => [
  {
    header: 'Status',
    cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>,
  },
  { header: 'Reason', cell: ({ words }) => words },
  {
    header: 'Subscribers',
    cell: ({ people, more }) => (more ? `more than ${formatCount(people)}` : formatCount(people)),
    numeric: true,
  },
  {
    header: 'Details',
    cell: ({ key, words }) => (
      <Button
        variant="default"
        onClick={() => onShow(key)}
        aria-label={`Show subscribers: ${words}`}
      >
        Show subscribers
      </Button>
    ),
  },
];

/** Lists the subscribers who were due on a date but got no text, by reason. */
export const UndeliveredTab = () => {
  const [search, setSearch] = useSearchParams();
  const date = search.get('date');
  const reason = search.get('reason');
  const { data, error, isPending, isFetching, refetch } = useQuery(undeliveredQuery(date));
  const change = (name: 'date' | 'reason', value: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (name === 'date') next.delete('reason');
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  const shown = data?.groups.find((group) => group.key === reason);
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Undelivered</Title>
      </VisuallyHidden>
      <Section title={data ? `Undelivered on ${formatLocalDate(data.date)}` : 'Undelivered'}>
        <Stack gap="md">
          <Text c="dimmed">
            Subscribers who were due on this date (in their time zone) but didn't get their text.
          </Text>
          <TextInput
            type="date"
            label="Date"
            value={date ?? data?.date ?? ''}
            onChange={(event) => change('date', event.currentTarget.value)}
            maw="14rem"
          />
          {isPending ? <TextSkeleton lines={4} /> : null}
          {!isPending && !data ? (
            <ErrorState
              message={describeError('load page', error)}
              onRetry={() => void refetch()}
              busy={isFetching}
            />
          ) : null}
          {data && data.groups.length === 0 ? (
            <EmptyState picture={<IconMoodSmile size={30} />} title="No undelivered texts">
              Everyone who was due by now got their text.
            </EmptyState>
          ) : null}
          {data && data.groups.length > 0 ? (
            <DataTable
              label="Reasons"
              columns={columns((key) => change('reason', key))}
              rows={data.groups}
              rowKey={(group) => group.key}
            />
          ) : null}
        </Stack>
      </Section>
      {reason !== null ? (
        <UndeliveredSubscribers
          key={`${date}/${reason}`}
          date={date}
          reason={reason}
          title={shown?.words ?? 'Subscribers'}
        />
      ) : null}
    </Stack>
  );
};
