import { createSmsApi } from '@daylift/api-client/sms';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { client } from '../../api.ts';

const sms = createSmsApi(client);
/** Limit of the overview request; it shows the first five. */
const historyLimit = 10;
const pageSize = 20;

export const historyQuery = queryOptions({
  queryKey: ['sms-history', historyLimit],
  queryFn: ({ signal }) => sms.listHistory({ limit: historyLimit }, signal),
});

/** The full history or its search results, newest first. */
export const wholeHistoryQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: ['sms-history', 'whole', search],
    queryFn: ({ pageParam: before, signal }) =>
      sms.listHistory(
        {
          limit: pageSize,
          ...(search === '' ? {} : { search }),
          ...(before === null ? {} : { before }),
        },
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.length < pageSize ? null : (page.at(-1)?.id ?? null)),
  });

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: ({ signal }) => sms.getAnalytics(signal),
});

/** `month` defaults to the current month. */
export const calendarQuery = (month: string | null) =>
  queryOptions({
    queryKey: ['calendar', month],
    queryFn: ({ signal }) => sms.getCalendar(month ?? undefined, signal),
    placeholderData: keepPreviousData,
  });
