import type { Timeline, TimelineEntry, TimelineKind } from '@daylift/contracts/timeline.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatWholeDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Chip, Group, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MoreButton } from '../../../components/MoreButton.tsx';
import { Section } from '../../../components/Section.tsx';
import { useUrlParams } from '../../../components/use-url-params.ts';
import { EntryView } from './EntryView.tsx';
import { MissingNotice } from './MissingNotice.tsx';
import classes from './SubscriberPage.module.css';
import { timelineQuery } from './subscriber-page.queries.ts';

const labels: Record<TimelineKind, string> = {
  texts: 'Texts',
  decisions: 'Not sent',
  replies: 'Replies',
  payments: 'Payments',
  changes: 'Changes',
};
const allKinds = Object.keys(labels) as TimelineKind[];

/** Entries grouped by day. */
export const groupByDay = (
  entries: TimelineEntry[],
): { day: string; key: string; entries: TimelineEntry[] }[] => {
  const groups: { day: string; key: string; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.day === entry.local_date) last.entries.push(entry);
    else groups.push({ day: entry.local_date, key: entry.id, entries: [entry] });
  }
  return groups;
};

const useKinds = () => {
  const [params, change] = useUrlParams();
  const named = (params.get('show') ?? '').split(',');
  const kinds = allKinds.filter((kind) => named.includes(kind));
  const choose = (chosen: string[]) =>
    change({ show: chosen.join(',') }, { replace: true, preventScrollReset: true });
  return { kinds, choose };
};

const Filter = ({
  kinds,
  onChange,
}: {
  kinds: TimelineKind[];
  onChange: (kinds: string[]) => void;
}) => (
  <Chip.Group multiple value={kinds} onChange={onChange}>
    <Group gap="xs" mb="md" role="group" aria-label="Filter">
      {allKinds.map((kind) => (
        <Chip key={kind} value={kind} size="md" classNames={{ label: classes.chip ?? '' }}>
          {labels[kind]}
        </Chip>
      ))}
    </Group>
  </Chip.Group>
);

const Days = ({ pages }: { pages: Timeline[] }) =>
  groupByDay(pages.flatMap((page) => page.entries)).map(({ day, key, entries }) => (
    <section key={key} aria-label={formatWholeDate(day)}>
      <Title order={3} className={classes.day}>
        {formatWholeDate(day)}
      </Title>
      <ol className={classes.entries}>
        {entries.map((entry) => (
          <EntryView key={entry.id} entry={entry} timezone={pages[0]?.timezone ?? 'UTC'} />
        ))}
      </ol>
    </section>
  ));

export const TimelineList = ({ id }: { id: string }) => {
  const { kinds, choose } = useKinds();
  const query = useInfiniteQuery(timelineQuery(id, kinds));
  const missing = [...new Set(query.data?.pages.flatMap((page) => page.missing))];
  return (
    <Section title="Timeline">
      <Filter kinds={kinds} onChange={choose} />
      <MissingNotice missing={missing} onRetry={() => void query.refetch()} />
      <QueryView
        query={query}
        lines={8}
        isEmpty={({ pages }) => pages[0]?.entries.length === 0}
        empty={
          <EmptyState title="No matching entries">Clear the filters to see everything.</EmptyState>
        }
      >
        {({ pages }) => <Days pages={pages} />}
      </QueryView>
      <MoreButton query={query} mt="md">
        Show older
      </MoreButton>
    </Section>
  );
};
