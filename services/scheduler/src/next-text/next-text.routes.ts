import { ErrorBody } from '@daylift/contracts/error';
import { NextText } from '@daylift/contracts/scheduler.http';
import { whyNotSend } from '@daylift/delivery/eligibility';
import { localDateAt } from '@daylift/delivery/send-windows';
import type { Server } from '@daylift/server/create-server';
import { requireUser, userOf } from '@daylift/server/identity';
import type { SchedulerDeps } from '../deps.ts';
import { findSubscriber } from '../subscribers/subscribers.repository.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';
import { findPlannedText } from './next-text.repository.ts';
import { whyNoText } from './why-no-text.ts';

/** A subscriber asks for their own next text. */
export function nextTextRoutes(app: Server, deps: SchedulerDeps): void {
  app.addHook('onRequest', requireUser);
  app.get(
    '/users/me/next-text',
    { schema: { response: { 200: NextText, 401: ErrorBody, 403: ErrorBody } } },
    (request) => readNextText(deps, userOf(request).user_id),
  );
}

async function readNextText({ db, clock }: SchedulerDeps, userId: string): Promise<NextText> {
  const subscriber = await findSubscriber(db, userId);
  if (subscriber === undefined || subscriber.timezone === null)
    return none(null, 'Your texts are being set up. Please look again in a minute.');
  const next = (await findPlannedText(db, userId)) ?? laterText(subscriber);
  // Whether they may receive is asked for the moment of the text, not for now: a pause may be over by then.
  const at = next?.due_at ?? clock.now();
  const reason = whyNotSend(
    subscriber,
    at,
    next?.local_date ?? localDateAt(at, subscriber.timezone),
  );
  if (reason !== null) return none(subscriber.timezone, whyNoText(reason, subscriber));
  if (next === null)
    return none(subscriber.timezone, 'Your texts are being set up. Please look again in a minute.');
  return {
    next_text_at: next.due_at.toISOString(),
    local_date: next.local_date,
    timezone: subscriber.timezone,
    reason: null,
  };
}

function laterText({ next_local_date, next_due_at }: Subscriber) {
  return next_local_date === null || next_due_at === null
    ? null
    : { local_date: next_local_date, due_at: next_due_at };
}

const none = (timezone: string | null, reason: string): NextText => ({
  next_text_at: null,
  local_date: null,
  timezone,
  reason,
});
