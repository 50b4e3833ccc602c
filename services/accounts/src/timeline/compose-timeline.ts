import {
  type Timeline,
  type TimelineEntry,
  type TimelineQuery,
  timelineKinds,
} from '@daylift/contracts/timeline.http';
import type {
  BillingPart,
  PlannedText,
  SchedulePart,
  SentText,
  TextsPart,
} from '@daylift/contracts/timeline-parts.http';
import type { AccountsDeps } from '../deps.ts';
import type { Answer, SupportMessage } from '../inbox/inbox.table.ts';
import type { RecordedChange } from '../users/user-changes.table.ts';
import type { User } from '../users/users.table.ts';
import { entry, quoteFor, type Reader } from './entries.ts';
import { readParts } from './parts.ts';
import { findChanges, findMailedAnswers, findMessages } from './timeline.repository.ts';
import { changeEntry } from './words/changes.ts';
import {
  creditEntry,
  disputeEntry,
  giftEntry,
  invoiceEntry,
  lostDayEntry,
  planEntry,
  priceEntry,
  refundEntry,
  staffEntry,
} from './words/payments.ts';
import { replyEntry, textEntry, type WholeText } from './words/texts.ts';

export interface Facts {
  schedule: SchedulePart | null;
  texts: TextsPart | null;
  billing: BillingPart | null;
  changes: RecordedChange[];
  messages: SupportMessage[];
  answers: Answer[];
}

/** Entries may share the instant of the previous page's last one. */
const extraEntries = 20;

/**
 * Returns a page of a subscriber's history, newest first. Each service returns its newest entries; merged, they are
 * complete as far as the page goes, because no service omits anything newer than what it returns.
 */
export async function composeTimeline(
  deps: Pick<AccountsDeps, 'db' | 'exportParts'>,
  user: User,
  reader: Reader,
  { before, limit, kinds: requested }: TimelineQuery,
): Promise<Timeline> {
  const kinds = requested?.split(',') ?? [...timelineKinds];
  const place = before === undefined ? null : readPlace(before);
  const wanted = limit + 1 + (place === null ? 0 : extraEntries);
  const facts = await fetchAll(deps, user.id, kinds, { until: place?.at, limit: wanted });
  const behind = [...entriesOf(reader, facts), signupEntry(reader, user)]
    .filter((one) => kinds.includes(one.kind) && (place === null || isBehind(one, place)))
    .sort(newestFirst);
  const entries = behind.slice(0, limit);
  const last = entries.at(-1);
  return {
    timezone: reader.timezone,
    entries,
    next: behind.length > limit && last !== undefined ? `${last.at}~${last.id}` : null,
    missing: facts.missing,
  };
}

interface Place {
  at: string;
  id: string;
}

function readPlace(before: string): Place {
  const [at = '', id = ''] = before.split('~');
  const instant = new Date(at);
  if (Number.isNaN(instant.getTime())) return { at: new Date(0).toISOString(), id };
  return { at: instant.toISOString(), id };
}

/** By instant, then by name. */
const orderOf = ({ at, id }: Place): string => `${at} ${id}`;
export function newestFirst(one: Place, other: Place): number {
  if (orderOf(one) === orderOf(other)) return 0;
  return orderOf(one) < orderOf(other) ? 1 : -1;
}
const isBehind = (one: Place, place: Place): boolean => newestFirst(place, one) < 0;

async function fetchAll(
  deps: Pick<AccountsDeps, 'db' | 'exportParts'>,
  userId: string,
  kinds: string[],
  { until, limit }: { until: string | undefined; limit: number },
) {
  const parts = readParts(deps);
  const query = new URLSearchParams({
    kinds: kinds.join(','),
    limit: String(limit),
    ...(until !== undefined && { until }),
  });
  const path = `/internal/timeline/${userId}?${query}`;
  const range = { until: until === undefined ? undefined : new Date(until), limit };
  const has = (...some: string[]) => some.some((kind) => kinds.includes(kind));
  const [schedule, texts, billing, changes, messages, answers] = await Promise.all([
    has('texts', 'decisions') ? parts.read<SchedulePart>('schedule', path) : null,
    has('texts', 'decisions', 'replies') ? parts.read<TextsPart>('texts', path) : null,
    has('payments', 'changes') ? parts.read<BillingPart>('billing', path) : null,
    has('changes') ? findChanges(deps.db, userId, range) : [],
    has('replies') ? findMessages(deps.db, userId, range) : [],
    has('replies') ? findMailedAnswers(deps.db, userId, range) : [],
  ]);
  return { schedule, texts, billing, changes, messages, answers, missing: parts.missing };
}

export function entriesOf(reader: Reader, facts: Facts): TimelineEntry[] {
  const { schedule, texts, billing, changes, messages, answers } = facts;
  return [
    ...joinTexts(schedule?.planned ?? [], texts?.texts ?? []).map((one) => textEntry(reader, one)),
    ...(texts?.replies ?? []).map((one) => replyEntry(reader, one)),
    ...(billing?.invoices ?? []).map((one) => invoiceEntry(reader, one)),
    ...(billing?.refunds ?? []).map((one) => refundEntry(reader, one)),
    ...(billing?.disputes ?? []).map((one) => disputeEntry(reader, one)),
    ...(billing?.credits ?? []).map((one) => creditEntry(reader, one)),
    ...(billing?.lost_days ?? []).map((one) => lostDayEntry(reader, one)),
    ...(billing?.staff_actions ?? []).map((one) => staffEntry(reader, one)),
    ...(billing?.price_changes ?? []).map((one) => priceEntry(reader, one)),
    ...(billing?.gifts ?? []).map((one) => giftEntry(reader, one)),
    ...(billing?.changes ?? []).map((one) => planEntry(reader, one)),
    ...changes.map((one) => changeEntry(reader, one)),
    ...messages.map((one) => messageEntry(reader, one)),
    ...answers.map((one) => answerEntry(reader, one)),
  ];
}

/** Joins a text with its plan by id. */
export function joinTexts(planned: PlannedText[], texts: SentText[]): WholeText[] {
  const sent = new Map(texts.map((text) => [text.id, text]));
  const known = new Set(planned.map((one) => one.id));
  return [
    ...planned.map((one) => ({ planned: one, sent: sent.get(one.id) })),
    ...texts
      .filter((text) => !known.has(text.id))
      .map((text) => ({ planned: undefined, sent: text })),
  ];
}

const messageEntry = (reader: Reader, message: SupportMessage): TimelineEntry =>
  entry(reader, {
    id: `letter:${message.id}`,
    kind: 'replies',
    at: message.created_at,
    title: 'Wrote to support',
    detail: quoteFor(reader, message.subject),
    quote: quoteFor(reader, message.message),
    by: 'by the subscriber, on the page',
  });

const answerEntry = (reader: Reader, answer: Answer): TimelineEntry =>
  entry(reader, {
    id: `answer:${answer.id}`,
    kind: 'replies',
    at: answer.created_at,
    title: 'Staff reply emailed',
    quote: quoteFor(reader, answer.message),
    by: `by ${answer.admin_username}`,
  });

export const signupEntry = (reader: Reader, user: User): TimelineEntry =>
  entry(reader, {
    id: `signup:${user.id}`,
    kind: 'changes',
    at: user.registered_at,
    title: 'Account created',
  });
