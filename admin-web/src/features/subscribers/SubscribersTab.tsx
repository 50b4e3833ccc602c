import { describeError } from '@daylift/api-client/operators-errors';
import { maxListed } from '@daylift/contracts/max-listed';
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
import { isNarrowed, type ListWish, readWish, writeWish } from './list-wish.ts';
import { SubscriberFilters } from './SubscriberFilters.tsx';
import { SubscribersTable } from './SubscribersTable.tsx';
import { pageSize, subscribersQuery } from './subscribers.queries.ts';

const Nobody = ({ wish }: { wish: ListWish }) =>
  isNarrowed(wish) ? (
    <EmptyState title="No matches">Try the start of a name or email, or other filters.</EmptyState>
  ) : (
    <EmptyState title="No subscribers yet">
      New subscribers appear here when they sign up.
    </EmptyState>
  );

const List = () => {
  const [params, setParams] = useSearchParams();
  const wish = readWish(params, pageSize);
  const change = (one: Partial<ListWish>) =>
    setParams((now) => writeWish(now, one, pageSize), { replace: true });
  const { data, error, isError, isPending, isFetching, refetch } = useQuery(subscribersQuery(wish));
  return (
    <Section title="Subscribers">
      <SubscriberFilters wish={wish} onChange={change} />
      {isPending ? <TextSkeleton lines={6} /> : null}
      {isError && !data ? (
        <ErrorState
          message={describeError('load page', error)}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : null}
      {data && data.rows.length === 0 ? <Nobody wish={wish} /> : null}
      {data && data.rows.length > 0 ? (
        <>
          <SubscribersTable users={data.rows} />
          <TablePages
            offset={wish.offset}
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
