import { createSmsApi } from '@daylift/api-client/sms';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api.ts';

const sms = createSmsApi(client);
/** As many as the overview asks for; it shows the first five. */
const historyLimit = 10;

export const historyQuery = queryOptions({
  queryKey: ['sms-history', historyLimit],
  queryFn: ({ signal }) => sms.listHistory({ limit: historyLimit }, signal),
});

export const analyticsQuery = queryOptions({
  queryKey: ['analytics'],
  queryFn: ({ signal }) => sms.getAnalytics(signal),
});
