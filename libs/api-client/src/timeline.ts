import type {
  AdminSubscriber,
  AdminSubscription,
  DayAnswer,
  Timeline,
  TimelineKind,
} from '@daylift/contracts/timeline.http';
import type { Client } from './request.ts';

export const createTimelineApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  getSubscriber: (id: string, signal?: AbortSignal) =>
    call<AdminSubscriber>('GET', `/admin/users/${id}`, { signal }),
  getSubscription: (id: string, signal?: AbortSignal) =>
    call<AdminSubscription>('GET', `/admin/users/${id}/subscription`, { signal }),
  getTimeline: (
    id: string,
    { kinds, before }: { kinds: readonly TimelineKind[]; before: string | null },
    signal?: AbortSignal,
  ) =>
    call<Timeline>('GET', `/admin/users/${id}/timeline`, {
      query: {
        ...(kinds.length > 0 && { kinds: kinds.join(',') }),
        ...(before !== null && { before }),
      },
      signal,
    }),
  getDay: (id: string, date: string, signal?: AbortSignal) =>
    call<DayAnswer>('GET', `/admin/users/${id}/days/${date}`, { signal }),
});
