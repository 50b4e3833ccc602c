import type { SchedulerLoad } from '@daylift/contracts/load.http';
import type {
  Audience,
  DeliverySlots,
  NextText,
  NextTextPreviewRequest,
  SchedulerRun,
  SchedulerStatus,
  StaffSendPreview,
  StaffSendRequest,
  StaffSendResult,
} from '@daylift/contracts/scheduler.http';
import type { Client } from './request.ts';

/** Calls that the scheduler answers for subscribers. */
export const createSchedulerApi = ({ callPath: call }: Pick<Client, 'callPath'>) => ({
  getNextText: (signal?: AbortSignal) => call<NextText>('GET', '/users/me/next-text', { signal }),
  previewNextText: (body: NextTextPreviewRequest, signal?: AbortSignal) =>
    call<NextText>('POST', '/users/me/next-text/preview', { body, signal }),
});

/** Calls that the scheduler answers for operators. A staff send waits up to 20 s for its batch. */
export const createAdminSchedulerApi = ({ callPath: call }: Client) => ({
  getStatus: (signal?: AbortSignal) =>
    call<SchedulerStatus>('GET', '/admin/scheduler/status', { signal }),
  run: () => call<SchedulerRun>('POST', '/admin/scheduler/run', { body: {} }),
  getDeliverySlots: (signal?: AbortSignal) =>
    call<DeliverySlots>('GET', '/admin/scheduler/delivery-slots', { signal }),
  getLoad: (hours: number, signal?: AbortSignal) =>
    call<SchedulerLoad>('GET', '/admin/scheduler/load', { query: { hours }, signal }),
  getAudience: (signal?: AbortSignal) => call<Audience>('GET', '/admin/audience', { signal }),
  previewTodaysMessage: (signal?: AbortSignal) =>
    call<StaffSendPreview>('GET', '/admin/send-todays-message/preview', { signal }),
  sendTodaysMessage: (body: StaffSendRequest) =>
    call<StaffSendResult>('POST', '/admin/send-todays-message', { body }),
  previewScheduledMessage: (id: string, signal?: AbortSignal) =>
    call<StaffSendPreview>(
      'GET',
      `/admin/scheduled-messages/${encodeURIComponent(id)}/send-preview`,
      { signal },
    ),
  sendScheduledMessage: (id: string, body: StaffSendRequest) =>
    call<StaffSendResult>('POST', `/admin/scheduled-messages/${encodeURIComponent(id)}/send-now`, {
      body,
    }),
});
