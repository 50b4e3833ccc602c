import type { AuditCheck } from '@daylift/contracts/audit.http';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api.ts';

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
      call('GET /admin/audit-log', {
        query: { ...queryOf(filters), before_entry: pageParam ?? undefined, limit: pageSize },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.entry),
  });

/** Verifies all entries, page by page. */
export const chainQuery = queryOptions({
  queryKey: ['audit-chain'],
  queryFn: async ({ signal }): Promise<AuditCheck> => {
    const verify = (after_entry: number) =>
      call('GET /admin/audit-log/verify', { query: { after_entry }, signal });
    let check = await verify(0);
    while (!check.done) check = await verify(check.checked_to);
    return check;
  },
  staleTime: 60_000,
});
