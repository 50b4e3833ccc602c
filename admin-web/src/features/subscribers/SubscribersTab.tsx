import { maxListed } from '@daylift/contracts/limits';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { useQuery } from '@tanstack/react-query';
import { Section } from '../../components/Section.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { TabPage } from '../../components/TabPage.tsx';
import { useUrlParams } from '../../components/use-url-params.ts';
import { useMay } from '../../session/use-admin.ts';
import { AddSubscriberForm } from './AddSubscriberForm.tsx';
import { IntegrationNote } from './IntegrationNote.tsx';
import { filterParams, isNarrowed, type ListFilters, readFilters } from './list-filters.ts';
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

const List = () => {
  const [params, changeUrl] = useUrlParams();
  const filters = readFilters(params, pageSize);
  const change = (one: Partial<ListFilters>) =>
    changeUrl(filterParams(one, pageSize), { replace: true });
  const query = useQuery(subscribersQuery(filters));
  return (
    <Section title="Subscribers">
      <SubscriberFilters filters={filters} onChange={change} />
      <QueryView
        query={query}
        lines={6}
        isEmpty={({ rows }) => rows.length === 0}
        empty={<NoSubscribers filters={filters} />}
      >
        {(data) => (
          <>
            <SubscribersTable users={data.rows} />
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

export const SubscribersTab = () => {
  const mayManage = useMay('operator');
  return (
    <TabPage title="Subscribers">
      {mayManage ? (
        <Section title="Add Subscriber">
          <AddSubscriberForm />
        </Section>
      ) : null}
      <List />
    </TabPage>
  );
};
