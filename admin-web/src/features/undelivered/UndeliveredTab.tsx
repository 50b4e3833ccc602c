import type { UndeliveredGroup, UndeliveredOutcome } from '@daylift/contracts/undelivered.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatLocalDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, type BadgeTone } from '@daylift/ui/StatusBadge';
import { Button, Stack, Text, TextInput } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Section } from '../../components/Section.tsx';
import { SubscribersSection } from '../../components/SubscribersSection.tsx';
import { useUrlParams } from '../../components/use-url-params.ts';
import { undeliveredQuery, undeliveredSubscribersQuery } from './undelivered.queries.ts';

const outcomes: Record<UndeliveredOutcome, { label: string; tone: BadgeTone }> = {
  waiting: { label: 'Waiting', tone: 'sky' },
  missed: { label: 'Missed', tone: 'red' },
  refused: { label: 'Rejected', tone: 'red' },
  failed: { label: 'Failed', tone: 'red' },
  unknown: { label: 'Unknown', tone: 'yellow' },
  testing: { label: 'Test', tone: 'grey' },
  skipped: { label: 'Skipped', tone: 'grey' },
};

const kinds: Record<UndeliveredGroup['kind'], string> = {
  daily: 'Daily text',
  announcement: 'Announcement',
};

const columns = (onShow: (key: string) => void): Column<UndeliveredGroup>[] => [
  {
    header: 'Status',
    cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>,
  },
  { header: 'Text', cell: ({ kind }) => kinds[kind] },
  { header: 'Reason', cell: ({ words }) => words },
  {
    header: 'Subscribers',
    cell: ({ people, more }) => (more ? `more than ${formatCount(people)}` : formatCount(people)),
    numeric: true,
  },
  {
    header: 'Details',
    cell: ({ key, kind, words }) => (
      <Button
        variant="default"
        onClick={() => onShow(key)}
        aria-label={`Show subscribers: ${words}${kind === 'daily' ? '' : ' (announcement)'}`}
      >
        Show subscribers
      </Button>
    ),
  },
];

const Shown = ({ date, reason, title }: { date: string | null; reason: string; title: string }) => (
  <SubscribersSection
    title={title}
    query={useInfiniteQuery(undeliveredSubscribersQuery(date, reason))}
  />
);

/** Lists the subscribers who were due on a date but got no text, by reason. */
export const UndeliveredTab = () => {
  const [search, changeUrl] = useUrlParams();
  const date = search.get('date');
  const reason = search.get('reason');
  const query = useQuery(undeliveredQuery(date));
  const { data } = query;
  const change = (name: 'date' | 'reason', value: string) =>
    changeUrl(name === 'date' ? { date: value, reason: null } : { reason: value });
  const shown = data?.groups.find((group) => group.key === reason);
  return (
    <>
      <Section title={data ? `Undelivered on ${formatLocalDate(data.date)}` : 'Undelivered'}>
        <Stack gap="md">
          <Text c="dimmed">
            Subscribers who didn't get a text or announcement that was due on this date (in their
            time zone).
          </Text>
          <TextInput
            type="date"
            label="Date"
            value={date ?? data?.date ?? ''}
            onChange={(event) => change('date', event.currentTarget.value)}
            maw="14rem"
          />
          <QueryView
            query={query}
            lines={4}
            isEmpty={({ groups }) => groups.length === 0}
            empty={
              data?.was_due ? (
                <EmptyState picture={<IconMoodSmile size={30} />} title="No undelivered texts">
                  Everyone due so far got their text.
                </EmptyState>
              ) : (
                <EmptyState title="No texts on this date">
                  No texts have come due on this date.
                </EmptyState>
              )
            }
          >
            {({ groups }) => (
              <DataTable
                label="Reasons"
                columns={columns((key) => change('reason', key))}
                rows={groups}
                rowKey={(group) => group.key}
              />
            )}
          </QueryView>
        </Stack>
      </Section>
      {reason !== null ? (
        <Shown
          key={`${date}/${reason}`}
          date={date}
          reason={reason}
          title={shown?.words ?? 'Subscribers'}
        />
      ) : null}
    </>
  );
};
