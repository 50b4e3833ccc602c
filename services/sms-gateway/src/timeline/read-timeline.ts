import { dayMs } from '@daylift/clock/durations';
import type {
  SentText,
  TextsPart,
  TimelinePartQuery,
} from '@daylift/contracts/timeline-parts.http';
import { type DateSpan, spansBackward } from '@daylift/database/date-spans';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { withoutCode } from '../texts/code-text.ts';
import type { TextState } from '../texts/text-states.ts';
import {
  findFirstTextDate,
  findReceipts,
  findReplies,
  findTexts,
  findTextsOfDay,
  type TextReceipt,
  type TimelineText,
} from './timeline.repository.ts';

type Db = Kysely<SmsDatabase>;

const decisionStates: TextState[] = ['skipped', 'missed', 'superseded'];
const textStates: TextState[] = [
  'queued',
  'inflight',
  'refused',
  'unknown',
  'accepted',
  'sent',
  'failed',
  'delivered',
];

/** This service's part of a page of a subscriber's timeline. */
export async function readTimelinePart(
  db: Db,
  userId: string,
  query: TimelinePartQuery,
  now: Date,
): Promise<TextsPart> {
  const kinds = query.kinds.split(',');
  const until = query.until === undefined ? afterAllOf(now) : new Date(query.until);
  const states = [
    ...(kinds.includes('texts') ? textStates : []),
    ...(kinds.includes('decisions') ? decisionStates : []),
  ];
  const [texts, replies] = await Promise.all([
    states.length === 0 ? [] : newestTexts(db, userId, { states, until, limit: query.limit }),
    kinds.includes('replies') ? findReplies(db, userId, { until, limit: query.limit }) : [],
  ]);
  return withReceipts(db, texts, replies);
}

export async function readDayPart(
  db: Db,
  userId: string,
  day: { date: string; from: Date; until: Date },
): Promise<TextsPart> {
  const [texts, replies] = await Promise.all([
    findTextsOfDay(db, userId, day.date),
    findReplies(db, userId, { from: day.from, until: day.until, limit: 200 }),
  ]);
  return withReceipts(db, texts, replies);
}

/**
 * Reads months until the page is full. A text is within a day of its local date, so everything in an earlier month is
 * older, except for the first two days of this one.
 */
async function newestTexts(
  db: Db,
  userId: string,
  which: { states: TextState[]; until: Date; limit: number },
): Promise<TimelineText[]> {
  const found: TimelineText[] = [];
  const latest = Temporal.PlainDate.from(which.until.toISOString().slice(0, 10)).add({ days: 1 });
  const spans = spansBackward(latest.toString(), () => findFirstTextDate(db, userId));
  for await (const span of spans) {
    const { states, until, limit } = which;
    found.push(...(await findTexts(db, userId, { ...span, states, notAfter: until, limit })));
    if (found.filter((text) => text.placed_at >= completeFrom(span)).length >= limit) break;
  }
  return found
    .sort((one, other) => other.placed_at.getTime() - one.placed_at.getTime())
    .slice(0, which.limit);
}

const completeFrom = ({ from }: DateSpan): Date => new Date(Date.parse(from) + dayMs);
/** Texts are released at most this far ahead. */
const afterAllOf = (now: Date): Date => new Date(now.getTime() + 2 * dayMs);

async function withReceipts(
  db: Db,
  texts: TimelineText[],
  replies: Awaited<ReturnType<typeof findReplies>>,
): Promise<TextsPart> {
  const receipts = await findReceipts(
    db,
    texts.map((text) => text.id),
  );
  return {
    texts: texts.map((text) =>
      factsOf(
        text,
        receipts.filter((one) => one.text_id === text.id),
      ),
    ),
    replies: replies.map((one) => ({ ...one, received_at: one.received_at.toISOString() })),
  };
}

const instant = (date: Date | null): string | null => date?.toISOString() ?? null;

function factsOf(text: TimelineText, receipts: TextReceipt[]): SentText {
  const { batch_name, batch_kind } = text;
  return {
    id: text.id,
    local_date: text.local_date,
    kind: text.kind,
    state: text.state,
    reason: text.reason,
    error_code: text.error_code,
    content: withoutCode(text.body ?? text.content),
    is_test: text.is_test,
    batch:
      batch_name === null || batch_kind === null ? null : { name: batch_name, kind: batch_kind },
    due_at: text.placed_at.toISOString(),
    queued_at: text.created_at.toISOString(),
    attempts: text.attempts,
    handed_at: instant(text.handed_at),
    settled_at: instant(text.settled_at),
    finalized_at: instant(text.finalized_at),
    parts: text.parts,
    cost: text.cost,
    currency: text.currency,
    receipts: receipts.map(({ status, error_code, occurred_at }) => ({
      status,
      error_code,
      occurred_at: occurred_at.toISOString(),
    })),
  };
}
