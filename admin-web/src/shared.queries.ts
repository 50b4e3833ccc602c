import { queryOptions } from '@tanstack/react-query';
import { apiQuery, call } from './api.ts';

/** Queries of more than one feature. Most are updated live. */
export const freezeQuery = apiQuery(['freeze', 'state'], 'GET /admin/freeze');

export const testingModeQuery = apiQuery(
  ['settings', 'testing-mode'],
  'GET /admin/settings/testing-mode',
);

export const alertSettingsQuery = apiQuery(
  ['settings', 'alert-email'],
  'GET /admin/settings/alert-email',
);

export const lostDaySettingsQuery = apiQuery(
  ['settings', 'lost-days'],
  'GET /admin/settings/lost-days',
);

export const failedQuery = apiQuery(['failed'], 'GET /admin/parked');

/** Number of open conversations. */
export const openQuery = queryOptions({
  queryKey: ['inbox', 'open'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', limit: 1 } as const;
    return (await call('GET /admin/inbox', { query, signal })).open;
  },
});

/** Whether someone who may be in danger is waiting for a reply. Their conversations are listed first, so one row is enough. */
export const distressQuery = queryOptions({
  queryKey: ['inbox', 'list', 'distress'],
  queryFn: async ({ signal }) => {
    const query = { state: 'open', limit: 1 } as const;
    const { items } = await call('GET /admin/inbox', { query, signal });
    return items.some(({ flags }) => flags.includes('distress'));
  },
  refetchInterval: 30_000,
});

/** Disputed payments that need evidence, most urgent first. */
export const disputesQuery = apiQuery(['disputes'], 'GET /admin/disputes', {});

export const dailyTextsQuery = (days: number) =>
  apiQuery(['sms-system', 'daily-stats', days], 'GET /admin/sms-stats/daily', { query: { days } });

const recentBatches = 20;

export const batchesQuery = apiQuery(['sms-system', 'batches'], 'GET /admin/sms-batches', {
  query: { limit: recentBatches },
});

const calendarDays = 60;

/** The next days and the size of the library. */
export const contentCalendarQuery = apiQuery(
  ['content-calendar'],
  'GET /admin/scheduled-messages/calendar',
  { query: { days: calendarDays } },
);

export const libraryRunwayQuery = queryOptions({
  ...apiQuery(['library-runway'], 'GET /admin/library/runway'),
  // Poll until it has been computed for the first time.
  refetchInterval: ({ state: { data } }) => (data?.computed_at === null ? 5_000 : false),
});

export const forecastQuery = queryOptions({
  queryKey: ['forecast'],
  queryFn: ({ signal }) => call('GET /admin/rehearsal', { signal }),
  // Poll while the forecast is being computed.
  refetchInterval: ({ state: { data } }) => (data?.progress == null ? 15_000 : 1_000),
});
