import type { NextText as NextTextAnswer } from '@daylift/contracts/scheduler.http';
import type { NoSendReason } from '@daylift/contracts/sms.events';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { localDateAt } from '@daylift/delivery/send-windows';
import { isPlannable, type NextText, textOnOrAfter } from '../subscribers/next-text.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { noTextReason } from './why-no-text.ts';

const beingSetUp = "We're setting up your texts. Please check back in a minute.";

/** Returns the response for a subscriber. */
export function describeNextText(
  subscriber: Subscriber | undefined,
  planned: NextText | null,
  now: Date,
  spreadMs: number,
): NextTextAnswer {
  const { next, why_none } = judgeNextText(subscriber, planned, now, spreadMs);
  const timezone = subscriber?.timezone ?? null;
  if (subscriber === undefined || next === null)
    return {
      next_text_at: null,
      local_date: null,
      timezone,
      reason:
        subscriber === undefined || why_none === null || why_none === 'setting_up'
          ? beingSetUp
          : noTextReason(why_none, subscriber),
    };
  return {
    next_text_at: next.due_at.toISOString(),
    local_date: next.local_date,
    timezone,
    reason: null,
  };
}

export interface NextTextVerdict {
  next: NextText | null;
  /** Null if there is a next text. */
  why_none: NoSendReason | 'setting_up' | null;
}

/**
 * Returns the next text, or why there is none. Eligibility is checked for the text's own instant, because a pause or a
 * subscription may be over by then. Texts within a pause are planned and skipped; this returns the first one after it.
 */
export function judgeNextText(
  subscriber: Subscriber | undefined,
  planned: NextText | null,
  now: Date,
  spreadMs: number,
): NextTextVerdict {
  const settingUp: NextTextVerdict = { next: null, why_none: 'setting_up' };
  if (subscriber === undefined || subscriber.timezone === null) return settingUp;
  const next = afterPause(subscriber, planned, now, spreadMs);
  const at = next?.due_at ?? now;
  const localDate = next?.local_date ?? localDateAt(at, subscriber.timezone);
  const why = sendRefusal(subscriber, at, localDate);
  if (why !== null) return { next: null, why_none: why };
  return next === null ? settingUp : { next, why_none: null };
}

function afterPause(
  subscriber: Subscriber,
  planned: NextText | null,
  now: Date,
  spreadMs: number,
): NextText | null {
  const { paused_until, first_local_date } = subscriber;
  if (planned === null || paused_until === null || planned.local_date >= paused_until)
    return planned;
  if (!isPlannable(subscriber) || first_local_date === null) return planned;
  return textOnOrAfter({ ...subscriber, first_local_date }, paused_until, now, spreadMs);
}
