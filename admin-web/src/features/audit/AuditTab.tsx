import { describeError } from '@daylift/api-client/operators-errors';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { MoreButton } from '../../components/MoreButton.tsx';
import { Section } from '../../components/Section.tsx';
import { useTimeFormat } from '../../components/use-time-format.ts';
import { useUrlParams } from '../../components/use-url-params.ts';
import { useRole } from '../../session/use-admin.ts';
import { AuditFilterForm } from './AuditFilterForm.tsx';
import { AuditTable } from './AuditTable.tsx';
import { type AuditFilters, auditQuery, filterNames } from './audit.queries.ts';
import { ChainCheck } from './ChainCheck.tsx';

/** Filters are part of the URL, so a filtered view can be shared. */
const useFilters = (): [AuditFilters, (filters: AuditFilters) => void] => {
  const [search, change] = useUrlParams();
  const read = (name: keyof AuditFilters) => search.get(name) ?? '';
  const filters = Object.fromEntries(filterNames.map((name) => [name, read(name)]));
  const write = (wanted: AuditFilters) =>
    change(Object.fromEntries(filterNames.map((name) => [name, wanted[name].trim()])), {
      replace: true,
    });
  return [filters as unknown as AuditFilters, write];
};

const Entries = ({ filters }: { filters: AuditFilters }) => {
  const query = useInfiniteQuery(auditQuery(filters, useTimeFormat().zone));
  return (
    <QueryView
      query={query}
      lines={8}
      isEmpty={({ pages }) => pages.flat().length === 0}
      empty={
        <EmptyState title="No matching entries">
          Try a wider date range or fewer filters.
        </EmptyState>
      }
      describe={(error) => describeError('read audit log', error)}
    >
      {({ pages }) => (
        <>
          <AuditTable entries={pages.flat()} />
          <MoreButton query={query} loading={query.isFetching} display="block" mt="md" mx="auto">
            Show older entries
          </MoreButton>
        </>
      )}
    </QueryView>
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
    <>
      {role === undefined ? <TextSkeleton lines={8} /> : null}
      {role === 'viewer' || role === 'operator' ? (
        <EmptyState title="Only owners can see the audit log">
          Ask an owner if you need access.
        </EmptyState>
      ) : null}
      {role === 'owner' ? <Log /> : null}
    </>
  );
};
