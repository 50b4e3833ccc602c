import type {
  Calendar,
  HistoryItem,
  QueueRun,
  SmsBatch,
  SmsStats,
  UserAnalytics,
} from '@daylift/contracts/sms.http';
import type { Client } from './request.ts';

export const createSmsApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  listHistory: (query: { limit: number; search?: string; before?: string }, signal?: AbortSignal) =>
    call<HistoryItem[]>('GET', '/users/me/sms-history', { query, signal }),
  getCalendar: (month?: string, signal?: AbortSignal) =>
    call<Calendar>('GET', '/users/me/calendar', { query: { month }, signal }),
  getAnalytics: (signal?: AbortSignal) =>
    call<UserAnalytics>('GET', '/users/me/analytics', { signal }),
});

export const createAdminSmsApi = ({ callPath: call }: Client) => ({
  getStats: (signal?: AbortSignal) => call<SmsStats>('GET', '/admin/sms-stats', { signal }),
  listBatches: (limit: number, signal?: AbortSignal) =>
    call<SmsBatch[]>('GET', '/admin/sms-batches', { query: { limit }, signal }),
  processQueue: () => call<QueueRun>('POST', '/admin/scheduler/process-queue', { body: {} }),
});
