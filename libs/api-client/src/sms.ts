import type {
  HistoryItem,
  QueueRun,
  SmsBatch,
  SmsStats,
  UserAnalytics,
} from '@daylift/contracts/sms.http';
import type { Client } from './request.ts';

/** Calls that the sms-gateway answers for subscribers. */
export const createSmsApi = ({ call }: Pick<Client, 'call'>) => ({
  listHistory: (limit: number, signal?: AbortSignal) =>
    call<HistoryItem[]>('GET', '/users/me/sms-history', { query: { limit }, signal }),
  getAnalytics: (signal?: AbortSignal) =>
    call<UserAnalytics>('GET', '/users/me/analytics', { signal }),
});

/** Calls that the sms-gateway answers for operators. */
export const createAdminSmsApi = ({ call }: Client) => ({
  getStats: (signal?: AbortSignal) => call<SmsStats>('GET', '/admin/sms-stats', { signal }),
  listBatches: (limit: number, signal?: AbortSignal) =>
    call<SmsBatch[]>('GET', '/admin/sms-batches', { query: { limit }, signal }),
  processQueue: () => call<QueueRun>('POST', '/admin/scheduler/process-queue', { body: {} }),
});
