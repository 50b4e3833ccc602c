import type { AuditCheck } from '@daylift/contracts/audit.http';
import { startOfDate } from '@daylift/ui/formats';
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

const queryOf = ({ from, to, ...rest }: AuditFilters, zone: string | undefined) => {
  const given = { ...rest, from: startOfDate(from, zone), to: startOfDate(dayAfter(to), zone) };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value));
};

const dayAfter = (date: string): string => {
  const day = new Date(`${date}T12:00:00Z`);
  if (Number.isNaN(day.getTime())) return '';
  day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
};

/** Dates are in the operators' time zone. */
export const auditQuery = (filters: AuditFilters, zone: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['audit', filters, zone],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/audit-log', {
        query: { ...queryOf(filters, zone), before_entry: pageParam ?? undefined, limit: pageSize },
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
