import type { Action } from '@daylift/api-client/operators-errors';
import type {
  ManualSendPreview,
  ManualSendRequest,
  ManualSendResult,
} from '@daylift/contracts/scheduler.http';
import { call } from '../api.ts';

export interface ManualSend {
  key: string;
  action: Action;
  preview: (signal?: AbortSignal) => Promise<ManualSendPreview>;
  send: (body: ManualSendRequest, previewed: ManualSendPreview) => Promise<ManualSendResult>;
}

export const todaysMessage: ManualSend = {
  key: 'today',
  action: "send today's message",
  preview: (signal) => call('GET /admin/send-todays-message/preview', { signal }),
  send: (body, { scheduled_message_id }) =>
    call('POST /admin/send-todays-message', { body: { ...body, scheduled_message_id } }),
};

export const scheduledMessage = (id: string): ManualSend => ({
  key: id,
  action: 'send scheduled message',
  preview: (signal) =>
    call('GET /admin/scheduled-messages/:id/send-preview', { params: { id }, signal }),
  send: (body) => call('POST /admin/scheduled-messages/:id/send-now', { params: { id }, body }),
});
