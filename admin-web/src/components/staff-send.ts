import type { Action } from '@daylift/api-client/operators-errors';
import type {
  StaffSendPreview,
  StaffSendRequest,
  StaffSendResult,
} from '@daylift/contracts/scheduler.http';
import { scheduler } from '../api.ts';

/** A send that an operator asks for: what it would do, and doing it. */
export interface StaffSend {
  key: string;
  action: Action;
  preview: (signal?: AbortSignal) => Promise<StaffSendPreview>;
  send: (body: StaffSendRequest) => Promise<StaffSendResult>;
}

export const todaysMessage: StaffSend = {
  key: 'today',
  action: "send today's message",
  preview: scheduler.previewTodaysMessage,
  send: scheduler.sendTodaysMessage,
};

export const scheduledMessage = (id: string): StaffSend => ({
  key: id,
  action: 'send scheduled message',
  preview: (signal) => scheduler.previewScheduledMessage(id, signal),
  send: (body) => scheduler.sendScheduledMessage(id, body),
});
