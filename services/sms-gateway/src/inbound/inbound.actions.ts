import type { Clock } from '@daylift/clock/clock';
import { type ReplyCommand, smsEvents } from '@daylift/contracts/sms.events';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { consentKey } from '../welcome/consent-requests.ts';
import { queueFirstTexts } from '../welcome/first-texts.ts';
import { queueOwnText } from '../welcome/own-texts.ts';
import { confirmationText, helpText, type OwnTextWords } from '../welcome/words.ts';
import { type Meaning, readReply } from './keywords.ts';
import type { NumberHash } from './number-hash.ts';
import { isOptedOut, recordOptIn, recordOptOut } from './opt-outs.ts';
import { publishReplyToRead } from './replies-to-read.ts';

/** A text that a person sent us, as the provider reports it. */
export interface InboundText {
  id: string;
  from: string;
  text: string;
  /** What the provider itself made of it; for STOP and START it has acted already. */
  autoresponse: string | null;
  received_at: Date;
}

export interface InboundDeps {
  clock: Clock;
  numberHash: NumberHash;
  words: OwnTextWords;
}

interface Sender {
  user_id: string;
  version: number;
  number_version: number;
  consent: string;
  timezone: string | null;
}

/** Keeps a reply and does what it says, in one transaction; the same one a second time is nothing. */
export async function receiveText(
  trx: Transaction<SmsDatabase>,
  inbound: InboundText,
  deps: InboundDeps,
): Promise<void> {
  const numberHash = deps.numberHash(inbound.from);
  const meaning = meaningOf(inbound);
  const sender = await findSender(trx, numberHash);
  const fresh = await trx
    .insertInto('inbound_texts')
    .values({
      id: inbound.id,
      from_number: inbound.from,
      user_id: sender?.user_id ?? null,
      content: inbound.text,
      meaning: meaning.is,
      needs_review: meaning.is === 'stop' && meaning.by === 'phrase',
      received_at: inbound.received_at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (fresh === undefined) return;
  const understood = await obey(trx, { inbound, meaning, sender, numberHash }, deps);
  const needs_review = meaning.is === 'stop' && meaning.by === 'phrase';
  if (!understood)
    await trx
      .updateTable('inbound_texts')
      .set({ meaning: 'other' })
      .where('id', '=', inbound.id)
      .execute();
  if (understood && !needs_review) return;
  const user_id = sender?.user_id ?? null;
  await publishReplyToRead(trx, { ...inbound, user_id, needs_review }, deps.clock.now());
}

/** The provider's word on STOP and START counts even where we would have read it otherwise: it has blocked or unblocked. */
function meaningOf({ autoresponse, text }: InboundText): Meaning {
  if (autoresponse === 'STOP') return { is: 'stop', by: 'keyword' };
  if (autoresponse === 'START') return { is: 'start' };
  return readReply(text);
}

interface Reply {
  inbound: InboundText;
  meaning: Meaning;
  sender: Sender | null;
  numberHash: string;
}

/** False: nothing to do, so a person should read it. */
async function obey(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<boolean> {
  const { meaning, inbound, numberHash } = reply;
  const now = deps.clock.now();
  const change = { numberHash, at: inbound.received_at, now };
  switch (meaning.is) {
    case 'stop':
      // No word from us: the provider sends the one confirmation.
      await recordOptOut(trx, { ...change, source: meaning.by });
      return true;
    case 'start':
      await recordOptIn(trx, change);
      if (reply.sender !== null) await queueFirstTexts(trx, reply.sender.user_id, deps.words, now);
      return true;
    case 'help':
      await answer(trx, reply, { kind: 'help', content: helpText(deps.words), now });
      return true;
    case 'yes':
      return confirmConsent(trx, reply.sender, now);
    case 'command':
      return changeSetting(trx, reply, meaning.change, deps);
    case 'other':
      return false;
  }
}

/** YES counts only as the answer to our question, from the number that was asked. */
async function confirmConsent(
  trx: Transaction<SmsDatabase>,
  sender: Sender | null,
  now: Date,
): Promise<boolean> {
  if (sender === null || sender.consent !== 'pending') return false;
  const asked = await trx
    .selectFrom('own_text_keys')
    .select('key')
    .where('key', '=', consentKey(sender))
    .executeTakeFirst();
  if (asked === undefined) return false;
  await publish(
    trx,
    smsEvents,
    'sms.consent.confirmed',
    { user_id: sender.user_id, recipient_version: sender.version, at: now.toISOString() },
    now,
  );
  return true;
}

async function changeSetting(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  change: ReplyCommand,
  deps: InboundDeps,
): Promise<boolean> {
  const { sender } = reply;
  if (sender === null) return false;
  const now = deps.clock.now();
  await publish(
    trx,
    smsEvents,
    'sms.setting.requested',
    { user_id: sender.user_id, change, at: now.toISOString() },
    now,
  );
  await answer(trx, reply, {
    kind: 'confirmation',
    content: confirmationText(deps.words, change),
    now,
  });
  return true;
}

/** Two machines that answer each other stop here. */
const maxAnswersPerHour = 6;
/** Short codes and names of senders take no answer. */
const e164 = /^\+[1-9]\d{6,14}$/;

async function answer(
  trx: Transaction<SmsDatabase>,
  { inbound, sender, numberHash }: Reply,
  text: { kind: 'help' | 'confirmation'; content: string; now: Date },
): Promise<void> {
  if (!e164.test(inbound.from) || (await isOptedOut(trx, numberHash))) return;
  const recent = await trx
    .selectFrom('inbound_texts')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('from_number', '=', inbound.from)
    .where('meaning', 'in', ['help', 'command'])
    .where('received_at', '>', new Date(inbound.received_at.getTime() - 3_600_000))
    .executeTakeFirstOrThrow();
  if (recent.count > maxAnswersPerHour) return;
  await queueOwnText(trx, {
    key: `reply:${inbound.id}`,
    kind: text.kind,
    content: text.content,
    user_id: sender?.user_id ?? null,
    reply_to: inbound.from,
    timezone: sender?.timezone ?? 'UTC',
    now: text.now,
  });
}

async function findSender(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
): Promise<Sender | null> {
  const row = await trx
    .selectFrom('recipients')
    .select(['user_id', 'version', 'number_version', 'consent', 'timezone'])
    .where('number_hash', '=', numberHash)
    .orderBy('version', 'desc')
    .executeTakeFirst();
  return row ?? null;
}
