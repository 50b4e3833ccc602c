import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { Stack, Text } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { type Column, DataTable } from './DataTable.tsx';
import { MoreButton } from './MoreButton.tsx';
import { Section } from './Section.tsx';
import { SubscriberLink } from './SubscriberLink.tsx';
import { Time } from './Time.tsx';
import { useScrollHere } from './use-scroll-here.ts';

interface Person {
  user_id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  due_at: string;
  timezone?: string;
}

const columns: Column<Person>[] = [
  {
    header: 'Name',
    isTitle: true,
    cell: (one) =>
      one.name === null ? (
        <Text c="dimmed">Account deleted</Text>
      ) : (
        <SubscriberLink id={one.user_id}>{one.name}</SubscriberLink>
      ),
  },
  { header: 'Email', cell: (one) => one.email ?? '' },
  { header: 'Phone', cell: (one) => one.phone ?? '' },
  {
    header: 'Due',
    cell: (one) => <Time at={one.due_at} zone={one.timezone} />,
  },
];

/** Titled list of subscribers with links to their pages, loaded page by page. Scrolls into view when it appears. */
export const SubscribersSection = ({
  title,
  query,
}: {
  title: string;
  query: UseInfiniteQueryResult<InfiniteData<{ people: Person[] }>>;
}) => {
  const ref = useScrollHere();
  return (
    <div ref={ref} tabIndex={-1}>
      <Section title={title}>
        <QueryView
          query={query}
          lines={4}
          isEmpty={({ pages }) => pages.every(({ people }) => people.length === 0)}
          empty={<EmptyState title="No subscribers left" />}
        >
          {({ pages }) => (
            <Stack gap="md">
              <DataTable
                label={title}
                columns={columns}
                rows={pages.flatMap(({ people }) => people)}
                rowKey={(one) => one.user_id}
              />
              <MoreButton query={query} loading={query.isFetching} w="fit-content">
                Show more
              </MoreButton>
            </Stack>
          )}
        </QueryView>
      </Section>
    </div>
  );
};
