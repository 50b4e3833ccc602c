import { describeError } from '@daylift/api-client/operators-errors';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Button, Center, Stack, Title, VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { Section } from '../../components/Section.tsx';
import { useRole } from '../../session/use-admin.ts';
import { AuditFilterForm } from './AuditFilterForm.tsx';
import { AuditTable } from './AuditTable.tsx';
import { type AuditFilters, auditQuery, filterNames } from './audit.queries.ts';
import { ChainCheck } from './ChainCheck.tsx';

/** Filters are part of the URL, so a filtered view can be shared. */
const useFilters = (): [AuditFilters, (filters: AuditFilters) => void] => {
  const [search, setSearch] = useSearchParams();
  const read = (name: keyof AuditFilters) => search.get(name) ?? '';
  const filters = Object.fromEntries(filterNames.map((name) => [name, read(name)]));
  const write = (wanted: AuditFilters) => {
    const next = new URLSearchParams(search);
    for (const name of filterNames) {
      if (wanted[name].trim() === '') next.delete(name);
      else next.set(name, wanted[name].trim());
    }
    setSearch(next, { replace: true });
  };
  return [filters as unknown as AuditFilters, write];
};

const Entries = ({ filters }: { filters: AuditFilters }) => {
  const { data, error, isPending, isFetching, fetchNextPage, hasNextPage, refetch } =
    useInfiniteQuery(auditQuery(filters));
  const entries = data?.pages.flat() ?? [];
  if (isPending) return <TextSkeleton lines={8} />;
  if (data === undefined)
    return (
      <ErrorState
        message={describeError('read audit log', error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (entries.length === 0)
    return (
      <EmptyState title="No matching entries">Try a wider date range or fewer filters.</EmptyState>
    );
  return (
    <>
      <AuditTable entries={entries} />
      {hasNextPage ? (
        <Center mt="md">
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Show older entries
          </Button>
        </Center>
      ) : null}
    </>
  );
};

const Log = () => {
  const [filters, setFilters] = useFilters();
  return (
    <Section title="Admin actions">
      <Stack gap="lg">
        <AuditFilterForm filters={filters} onChange={setFilters} />
        <ChainCheck />
        <Entries filters={filters} />
      </Stack>
    </Section>
  );
};

export const AuditTab = () => {
  const role = useRole();
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Audit log</Title>
      </VisuallyHidden>
      {role === undefined ? <TextSkeleton lines={8} /> : null}
      {role === 'viewer' || role === 'operator' ? (
        <EmptyState title="Only owners can see the audit log">
          Ask an owner if you need access.
        </EmptyState>
      ) : null}
      {role === 'owner' ? <Log /> : null}
    </Stack>
  );
};
