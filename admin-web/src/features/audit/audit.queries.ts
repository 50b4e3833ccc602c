import type { AuditCheck } from '@daylift/contracts/audit.http';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { admins } from '../../api.ts';

/** The filters from the URL. An empty value means no filter. */
export interface AuditFilters {
  admin: string;
  action: string;
  target: string;
  from: string;
  to: string;
}
export const filterNames = ['admin', 'action', 'target', 'from', 'to'] as const;

const pageSize = 50;

/** Returns the start of a date in the browser's time zone, and of the next date. */
const startOf = (date: string, later = 0): string | undefined => {
  const day = new Date(`${date}T00:00:00`);
  if (Number.isNaN(day.getTime())) return undefined;
  day.setDate(day.getDate() + later);
  return day.toISOString();
};

const queryOf = ({ from, to, ...rest }: AuditFilters) => {
  const given = { ...rest, from: startOf(from), to: startOf(to, 1) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
};

export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters],
    queryFn: ({ pageParam, signal }) =>
      admins.listAudit(
        {
          ...queryOf(filters),
          ...(pageParam === null ? {} : { before_entry: pageParam }),
          limit: pageSize,
        },
        signal,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.entry),
  });

/** Verifies all entries, page by page. */
export const chainQuery = queryOptions({
  queryKey: ['audit-chain'],
  queryFn: async ({ signal }): Promise<AuditCheck> => {
    let check = await admins.verifyAudit(0, signal);
    while (!check.done) check = await admins.verifyAudit(check.checked_to, signal);
    return check;
  },
  staleTime: 60_000,
});
