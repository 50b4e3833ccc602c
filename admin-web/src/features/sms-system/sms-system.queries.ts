import { queryOptions } from '@tanstack/react-query';
import { scheduler, sms } from '../../api.ts';

const recentBatches = 20;

export const statusQuery = queryOptions({
  queryKey: ['sms-system', 'status'],
  queryFn: ({ signal }) => scheduler.getStatus(signal),
});

export const batchesQuery = queryOptions({
  queryKey: ['sms-system', 'batches'],
  queryFn: ({ signal }) => sms.listBatches(recentBatches, signal),
});

export const statsQuery = queryOptions({
  queryKey: ['sms-system', 'stats'],
  queryFn: ({ signal }) => sms.getStats(signal),
});
