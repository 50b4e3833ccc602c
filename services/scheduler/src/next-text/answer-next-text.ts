import type { NextText as NextTextAnswer } from '@daylift/contracts/scheduler.http';
import { whyNotSend } from '@daylift/delivery/eligibility';
import { localDateAt } from '@daylift/delivery/send-windows';
import { isPlannable, type NextText, textOnOrAfter } from '../subscribers/next-text.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { whyNoText } from './why-no-text.ts';

const beingSetUp = 'Your texts are being set up. Please look again in a minute.';

/**
 * What a subscriber is told. Whether they may receive is asked for the moment of the text, not for now: a pause may be
 * over by then, and a subscription too. The texts within a pause are planned, and skipped; told is the first behind it.
 */
export function answerNextText(
  subscriber: Subscriber | undefined,
  planned: NextText | null,
  now: Date,
  spreadMs: number,
): NextTextAnswer {
  if (subscriber === undefined || subscriber.timezone === null) return none(null, beingSetUp);
  const { timezone } = subscriber;
  const next = afterPause(subscriber, planned, now, spreadMs);
  const at = next?.due_at ?? now;
  const reason = whyNotSend(subscriber, at, next?.local_date ?? localDateAt(at, timezone));
  if (reason !== null) return none(timezone, whyNoText(reason, subscriber));
  if (next === null) return none(timezone, beingSetUp);
  return {
    next_text_at: next.due_at.toISOString(),
    local_date: next.local_date,
    timezone,
    reason: null,
  };
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

const none = (timezone: string | null, reason: string): NextTextAnswer => ({
  next_text_at: null,
  local_date: null,
  timezone,
  reason,
});
