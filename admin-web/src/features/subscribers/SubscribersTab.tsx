import { maxListed } from '@daylift/contracts/limits';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Section } from '../../components/Section.tsx';
import { SideSheet } from '../../components/SideSheet.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { useLastPage } from '../../components/use-last-page.ts';
import { useRequestedAction } from '../../components/use-requested-action.ts';
import { useUrlParams } from '../../components/use-url-params.ts';
import { useMay } from '../../session/use-admin.ts';
import { AddSubscriberForm } from './AddSubscriberForm.tsx';
import { IntegrationNote } from './IntegrationNote.tsx';
import { filterParams, isNarrowed, type ListFilters, readFilters } from './list-filters.ts';
import { type NewSubscriber, PasswordDialog } from './PasswordDialog.tsx';
import { SubscriberFilters } from './SubscriberFilters.tsx';
import { SubscribersTable } from './SubscribersTable.tsx';
import { pageSize, subscribersQuery } from './subscribers.queries.ts';

const NoSubscribers = ({ filters }: { filters: ListFilters }) =>
  isNarrowed(filters) ? (
    <EmptyState title="No matches">Try the start of a name or email, or other filters.</EmptyState>
  ) : (
    <EmptyState title="No subscribers yet">
      New subscribers appear here when they sign up.
    </EmptyState>
  );

/** Opens the form for a new subscriber beside the list. */
const AddSubscriber = () => {
  const mayManage = useMay('operator');
  const [opened, setOpened] = useState(false);
  const [created, setCreated] = useState<NewSubscriber | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useRequestedAction({ 'add-subscriber': () => setOpened(true) });
  if (!mayManage) return null;
  return (
    <>
      <Button ref={opener} onClick={() => setOpened(true)}>
        Add Subscriber
      </Button>
      <SideSheet title="Add Subscriber" opened={opened} onClose={() => setOpened(false)}>
        <AddSubscriberForm
          onCreated={(subscriber) => {
            setOpened(false);
            setCreated(subscriber);
          }}
        />
      </SideSheet>
      <PasswordDialog
        created={created}
        onClose={() => {
          setCreated(null);
          opener.current?.focus();
        }}
      />
    </>
  );
};

export const SubscribersTab = () => {
  const [params, changeUrl] = useUrlParams();
  const filters = readFilters(params, pageSize);
  const change = (one: Partial<ListFilters>) =>
    changeUrl(filterParams(one, pageSize), { replace: true });
  const query = useQuery(subscribersQuery(filters));
  useLastPage(query.data, {
    offset: filters.offset,
    limit: pageSize,
    onChange: (offset) => change({ offset }),
  });
  return (
    <Section title="Find subscribers" actions={<AddSubscriber />}>
      <SubscriberFilters filters={filters} onChange={change} />
      <QueryView
        query={query}
        lines={6}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<NoSubscribers filters={filters} />}
      >
        {(data) => (
          <>
            <SubscribersTable
              users={data.rows}
              sort={filters.sort}
              onSort={(sort) => change({ sort })}
            />
            <TablePages
              offset={filters.offset}
              limit={pageSize}
              total={data.total}
              most={maxListed}
              onChange={(offset) => change({ offset })}
            />
          </>
        )}
      </QueryView>
      <IntegrationNote />
    </Section>
  );
};
