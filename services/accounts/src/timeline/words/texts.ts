import type { TimelineEntry } from '@daylift/contracts/timeline.http';
import type { PlannedText, Reply, SentText } from '@daylift/contracts/timeline-parts.http';
import { reasonInWords } from '@daylift/delivery/reason-words';
import { entry, quoteFor, type Reader } from '../entries.ts';
import { hourInWords } from './clock.ts';

/** A text as planned, as sent, or both. */
export type WholeText =
  | { planned: PlannedText; sent: SentText | undefined }
  | { planned: undefined; sent: SentText };

const nouns: Record<string, string> = {
  daily: 'Daily text',
  announcement: 'Announcement',
  welcome: 'Welcome text',
  consent_request: 'Consent request',
  help: 'HELP reply',
  confirmation: 'Confirmation',
  stop_confirmation: 'STOP confirmation',
  crisis_line: 'Crisis line',
  one_time_code: 'Code',
  answer: 'Staff reply',
};

interface Outcome {
  is: string;
  tone: TimelineEntry['tone'];
  isDecision?: true;
}
const outcomes: Record<string, Outcome> = {
  planned: { is: 'planned', tone: 'plain' },
  released: { is: 'released for sending', tone: 'plain' },
  queued: { is: 'waiting to be sent', tone: 'plain' },
  claimed: { is: 'waiting to be sent', tone: 'plain' },
  inflight: { is: 'being sent to the provider', tone: 'plain' },
  accepted: { is: 'accepted by the provider', tone: 'plain' },
  sent: { is: 'sent', tone: 'good' },
  delivered: { is: 'delivered', tone: 'good' },
  failed: { is: 'failed', tone: 'bad' },
  refused: { is: 'rejected', tone: 'bad' },
  unknown: { is: 'outcome unknown', tone: 'bad' },
  skipped: { is: 'not sent', tone: 'plain', isDecision: true },
  missed: { is: 'missed', tone: 'bad', isDecision: true },
  superseded: { is: 'rescheduled', tone: 'plain', isDecision: true },
};

/** Returns the text in its latest state: from sms-gateway if it got there, else from the scheduler. */
export const latestOf = (whole: WholeText): SentText | PlannedText =>
  whole.planned === undefined ? whole.sent : (whole.sent ?? whole.planned);

export function whyOf(whole: WholeText): string | null {
  const { reason, state } = latestOf(whole);
  const waits = ['queued', 'claimed'].includes(state);
  const words = reasonInWords(reason);
  return waits && words !== null ? `The last attempt failed. ${words}` : words;
}

export function textEntry(reader: Reader, whole: WholeText): TimelineEntry {
  const { planned, sent } = whole;
  const text = latestOf(whole);
  const outcome = outcomes[text.state] ?? { is: text.state, tone: 'plain' };
  const noun = nouns[text.kind] ?? 'Text';
  return entry(reader, {
    id: `text:${text.id}`,
    kind: outcome.isDecision ? 'decisions' : 'texts',
    at: text.due_at,
    local_date: text.local_date,
    tone: outcome.tone,
    title: `${noun} ${outcome.is}${text.is_test ? ' (test, to the test number)' : ''}`,
    detail: whyOf(whole),
    quote: outcome.isDecision || sent === undefined ? null : contentFor(reader, sent),
    by: planned?.is_staff_send ? 'sent by staff' : null,
    steps: stepsOf(planned, sent, text.due_at),
  });
}

/** A staff reply may name a phone number or an email address. */
const contentFor = (reader: Reader, { kind, content }: SentText): string =>
  kind === 'answer' ? quoteFor(reader, content) : content;

const receiptWords: Record<string, string> = {
  sent: 'Sent to the carrier',
  delivered: 'Delivered to the phone',
  read: 'Read on the phone',
  delivery_unconfirmed: 'Delivery not confirmed by the carrier',
};

function stepsOf(
  planned: PlannedText | undefined,
  sent: SentText | undefined,
  dueAt: string,
): TimelineEntry['steps'] {
  const steps: TimelineEntry['steps'] = [];
  const add = (at: string | null | undefined, what: string) => {
    if (at) steps.push({ at, what });
  };
  add(dueAt, dueWords(planned));
  const batch = sent?.batch ?? planned?.batch;
  const queued = batch ? `Queued in batch “${batch.name}”` : 'Queued';
  add(sent?.queued_at ?? planned?.released_at, queued);
  const tries = sent && sent.attempts > 1 ? `, attempt ${sent.attempts}` : '';
  add(sent?.handed_at, `Sent to the provider${tries}`);
  for (const { occurred_at, status, error_code } of sent?.receipts ?? []) {
    const failed = reasonInWords(error_code === null ? null : `carrier_${error_code}`);
    add(
      occurred_at,
      receiptWords[status] ?? `Receipt: ${status.replaceAll('_', ' ')}. ${failed ?? ''}`.trim(),
    );
  }
  if (sent?.receipts.length === 0) add(sent.finalized_at, 'Final status from the provider');
  if (!sent?.handed_at) add(sent?.settled_at ?? planned?.settled_at, 'Decided');
  return steps.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function dueWords(planned: PlannedText | undefined): string {
  if (planned === undefined) return 'Due';
  const words = planned.message_title === null ? '' : `, with “${planned.message_title}”`;
  const library = planned.from_library ? ', from the library' : '';
  const sequence = planned.sequence_day ? `, the text for day ${planned.sequence_day}` : '';
  if (planned.is_staff_send) return `Sent by staff${words}`;
  if (planned.delivery_hour === null) return `Due${words}`;
  return `Due at their hour, ${hourInWords(planned.delivery_hour)}${words}${library}${sequence}`;
}

const meanings: Record<string, string> = {
  stop: 'Replied STOP',
  start: 'Replied START',
  help: 'Asked for HELP',
  yes: 'Replied YES',
  command: 'Changed a setting by text',
};

export function replyEntry(reader: Reader, reply: Reply): TimelineEntry {
  return entry(reader, {
    id: `reply:${reply.id}`,
    kind: 'replies',
    at: reply.received_at,
    title: meanings[reply.meaning] ?? 'Replied by text',
    quote: quoteFor(reader, reply.content),
    by: 'by the subscriber, by text',
  });
}
