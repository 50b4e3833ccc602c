import type { SendWindow } from '@daylift/contracts/scheduler.events';
import { decideRelease } from '../dispatches/decide-release.ts';
import type { NewDispatch } from '../dispatches/dispatches.repository.ts';
import type { Dispatch } from '../dispatches/dispatches.table.ts';
import { dispatchOf, following } from '../planning/planner.loop.ts';
import type { NextText } from '../subscribers/next-text.ts';
import type { Subscriber } from '../subscribers/subscribers.table.ts';

/** A text of the coming days with its expected outcome. */
export type ForecastText =
  | { is: 'going'; dispatch: Dispatch; at: Date; closes: Date }
  | { is: 'ended'; dispatch: Dispatch; state: 'skipped' | 'missed'; reason: string };

interface Span {
  now: Date;
  until: Date;
  spreadMs: number;
}

/**
 * Returns one subscriber's texts: planned ones and those the planner will add, each decided as of its due time by the
 * same functions that plan and decide.
 */
export function forecastTexts(
  subscriber: Subscriber,
  inPlan: Dispatch[],
  announcementTimes: ReadonlyMap<string, string>,
  span: Span,
): ForecastText[] {
  const open = inPlan.filter((one) => one.state === 'planned' && one.due_at < span.until);
  const handedOver = inPlan.filter((one) => one.state === 'released');
  const timeOf = ({ scheduled_message_id }: Dispatch) =>
    announcementTimes.get(scheduled_message_id ?? '') ?? null;
  return [
    ...handedOver.map((dispatch) => forecastHandedOver(dispatch, span.now)),
    ...[...open, ...plannedLater(subscriber, inPlan, span)].map((dispatch) =>
      forecastText(dispatch, subscriber, timeOf(dispatch), span.now),
    ),
  ];
}

/** Decides as of the due time, and again as of the instant to which the text is postponed. */
export function forecastText(
  dispatch: Dispatch,
  subscriber: Subscriber,
  announcementTime: string | null,
  now: Date,
): ForecastText {
  let at = dispatch.due_at > now ? dispatch.due_at : now;
  for (;;) {
    const decision = decideRelease(dispatch, subscriber, announcementTime, at);
    if (decision.do === 'release')
      return { is: 'going', dispatch, at, closes: lastInstant(decision.windows) };
    if (decision.do === 'end') return { is: 'ended', dispatch, ...decision };
    at = decision.until;
  }
}

/** sms-gateway has it and sends it in its next window. */
function forecastHandedOver(dispatch: Dispatch, now: Date): ForecastText {
  const window = (dispatch.windows ?? []).find((one) => new Date(one.closes_at) > now);
  if (window === undefined) return { is: 'ended', dispatch, state: 'missed', reason: 'late' };
  const opens = new Date(window.opens_at);
  const at = opens > now ? opens : now;
  return { is: 'going', dispatch, at, closes: lastInstant(dispatch.windows ?? []) };
}

const lastInstant = (windows: SendWindow[]) => new Date(windows.at(-1)?.closes_at ?? 0);

/** Returns what the planner will add, except for dates whose dispatch it would leave unchanged. */
function plannedLater(
  subscriber: Subscriber,
  inPlan: Dispatch[],
  { until, spreadMs }: Span,
): Dispatch[] {
  const taken = new Set(inPlan.filter(isTaken).map((one) => one.local_date));
  const later: Dispatch[] = [];
  let next = nextOf(subscriber);
  while (next !== null && next.due_at < until) {
    const moved: Subscriber = {
      ...subscriber,
      next_local_date: next.local_date,
      next_due_at: next.due_at,
    };
    if (!taken.has(next.local_date)) later.push(asRow(dispatchOf(moved)));
    next = following(moved, spreadMs);
  }
  return later;
}

const nextOf = ({ next_local_date, next_due_at }: Subscriber): NextText | null =>
  next_local_date === null || next_due_at === null
    ? null
    : { local_date: next_local_date, due_at: next_due_at };

/** Whether a daily text was, may have been or is about to be sent. */
const isTaken = ({ kind, state, is_test }: Dispatch): boolean =>
  kind === 'daily' &&
  !['skipped', 'missed', 'superseded'].includes(state) &&
  (!is_test || state === 'released');

/** Returns the row that planning will create. */
export function asRow(dispatch: NewDispatch): Dispatch {
  return {
    delivery_hour: null,
    frequency: null,
    weekday: null,
    scheduled_message_id: null,
    generation: 1,
    id: '',
    state: 'planned',
    staff_send_id: null,
    template_id: null,
    batch_id: null,
    windows: null,
    reason: null,
    is_test: false,
    released_at: null,
    republish_at: null,
    republished: 0,
    settled_at: null,
    ...dispatch,
  };
}
