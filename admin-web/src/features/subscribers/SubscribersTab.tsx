import { describeError } from '@daylift/api-client/operators-errors';
import { maxListed } from '@daylift/contracts/limits';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Stack, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Section } from '../../components/Section.tsx';
import { TablePages } from '../../components/TablePages.tsx';
import { useMay } from '../../session/use-admin.ts';
import { AddSubscriberForm } from './AddSubscriberForm.tsx';
import { IntegrationNote } from './IntegrationNote.tsx';
import { isNarrowed, type ListFilters, readFilters, writeFilters } from './list-filters.ts';
import { SubscriberFilters } from './SubscriberFilters.tsx';
import { SubscribersTable } from './SubscribersTable.tsx';
import { pageSize, subscribersQuery } from './subscribers.queries.ts';

const Nobody = ({ filters }: { filters: ListFilters }) =>
  isNarrowed(filters) ? (
    <EmptyState title="No matches">Try the start of a name or email, or other filters.</EmptyState>
  ) : (
    <EmptyState title="No subscribers yet">
      New subscribers appear here when they sign up.
    </EmptyState>
  );

const List = () => {
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params, pageSize);
  const change = (one: Partial<ListFilters>) =>
    setParams((now) => writeFilters(now, one, pageSize), { replace: true });
  const { data, error, isError, isPending, isFetching, refetch } = useQuery(
    subscribersQuery(filters),
  );
  return (
    <Section title="Subscribers">
      <SubscriberFilters filters={filters} onChange={change} />
      {isPending ? <TextSkeleton lines={6} /> : null}
      {isError && !data ? (
        <ErrorState
          message={describeError('load page', error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : null}
      {data && data.rows.length === 0 ? <Nobody filters={filters} /> : null}
      {data && data.rows.length > 0 ? (
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
      ) : null}
      <IntegrationNote />
    </Section>
  );
};

export const SubscribersTab = () => {
  const mayManage = useMay('operator');
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Subscribers</Title>
      </VisuallyHidden>
      {mayManage ? (
        <Section title="Add Subscriber">
          <AddSubscriberForm />
        </Section>
      ) : null}
      <List />
    </Stack>
  );
};
