import type { SendWindow } from '@daylift/contracts/scheduler.events';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { announcementWindow, manualSendWindow, sendWindows } from '@daylift/delivery/send-windows';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import type { Dispatch } from './dispatches.table.ts';

export type ReleaseDecision =
  | { do: 'release'; windows: SendWindow[] }
  | { do: 'end'; state: 'skipped' | 'missed'; reason: string }
  /** Too early for the chosen hour or in quiet hours: it waits until 08:00. */
  | { do: 'wait'; until: Date };

/** Decides with current data. sms-gateway repeats these checks right before sending. */
export function decideRelease(
  dispatch: Dispatch,
  subscriber: Subscriber | undefined,
  announcementTime: string | null,
  now: Date,
): ReleaseDecision {
  if (subscriber === undefined) return { do: 'end', state: 'skipped', reason: 'inactive' };
  const reason = sendRefusal(subscriber, now, dispatch.local_date);
  if (reason !== null) return { do: 'end', state: 'skipped', reason };
  const windows = windowsOf(dispatch, announcementTime);
  const left = windows.filter((one) => new Date(one.closes_at) > now);
  const opens = left[0] === undefined ? null : new Date(left[0].opens_at);
  if (opens === null) return { do: 'end', state: 'missed', reason: 'late' };
  if (opens > now) return { do: 'wait', until: opens };
  return { do: 'release', windows };
}

function windowsOf(dispatch: Dispatch, announcementTime: string | null): SendWindow[] {
  const { local_date, due_at, timezone } = dispatch;
  if (dispatch.staff_send_id !== null) return [manualSendWindow(due_at, timezone)];
  if (dispatch.delivery_hour !== null)
    return sendWindows(local_date, dispatch.delivery_hour, timezone, due_at);
  const window =
    announcementTime === null ? null : announcementWindow(local_date, announcementTime, timezone);
  return window === null ? [] : [window];
}
