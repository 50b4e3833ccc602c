import { hourMs } from '@daylift/clock/durations';
import { type ReplyCommand, smsEvents } from '@daylift/contracts/sms.events';
import { readCrisis } from '@daylift/delivery/crisis';
import { sendRefusal } from '@daylift/delivery/eligibility';
import { publish } from '@daylift/events/publish';
import type { Transaction } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import type { NumberHash } from '../opt-outs/number-hash.ts';
import { isOptedOut } from '../opt-outs/opt-outs.repository.ts';
import { recordOptIn, recordOptOut } from '../opt-outs/opt-outs.ts';
import { noteHeard } from '../reachability/reachability.repository.ts';
import {
  findClaimant,
  findClaims,
  lockRecipient,
  type NumberClaim,
  type RecipientRow,
  type Sender,
  storePause,
} from '../recipients/recipients.repository.ts';
import { admitsReply } from '../spend/spend-caps.ts';
import { findConsented, findLatestRequested } from '../welcome/consent-requests.repository.ts';
import { type FirstTextDeps, hasSubscribed } from '../welcome/consent-requests.ts';
import { isWelcomed, queueFirstTexts } from '../welcome/first-texts.ts';
import { queueTransactionalText } from '../welcome/transactional-texts.ts';
import {
  confirmationText,
  helpText,
  lastReply,
  noTextsYetText,
  numberConfirmedText,
  optedInText,
  pauseHelpText,
  resumedButOffText,
  stopConfirmationText,
  timeHelpText,
  unclearYesText,
} from '../welcome/words.ts';
import { type CrisisDeps, respondToCrisis } from './crisis-replies.ts';
import {
  countAnswered,
  findCommandsSince,
  insertInboundText,
  markAsOther,
} from './inbound.repository.ts';
import { type Meaning, readReply } from './keywords.ts';
import { publishReplyToRead } from './replies-to-read.ts';

/** A message from a person, as reported by the provider. */
export interface InboundText {
  id: string;
  from: string;
  /** Our number that was texted; replies go out from it. */
  to: string | null;
  text: string;
  /** The keyword that the provider recognized; it has already acted on STOP and START. */
  autoresponse: string | null;
  received_at: Date;
}

export type InboundDeps = FirstTextDeps & CrisisDeps & { numberHash: NumberHash };

/** Stores a reply and applies it in one transaction. Idempotent. */
export async function receiveText(
  trx: Transaction<SmsDatabase>,
  inbound: InboundText,
  deps: InboundDeps,
): Promise<void> {
  const numberHash = deps.numberHash(inbound.from);
  const { is_crisis, rest } = readCrisis(inbound.text);
  const meaning = meaningOf(inbound, rest);
  const claimant = await findClaimant(trx, numberHash, deps.clock.now());
  const sender = claimant?.is_sender ? claimant : null;
  const needs_review = meaning.is === 'stop' && meaning.by === 'phrase';
  const isNew = await insertInboundText(trx, {
    id: inbound.id,
    from_number: inbound.from,
    user_id: sender?.user_id ?? null,
    content: inbound.text,
    meaning: meaning.is,
    needs_review,
    from_proven: sender?.phone_proven ?? true,
    received_at: inbound.received_at,
  });
  if (!isNew) return;
  await noteHeard(trx, numberHash, deps.clock.now());
  const understood = await applyReply(
    trx,
    { inbound, meaning, sender, claimant, numberHash },
    deps,
  );
  if (!understood) await markAsOther(trx, inbound.id);
  const user_id = sender?.user_id ?? null;
  if (is_crisis) {
    const { from, to } = inbound;
    const timezone = sender?.timezone ?? null;
    await respondToCrisis(trx, { from, to, user_id, timezone, numberHash }, deps);
  }
  if (understood && !needs_review && !is_crisis) return;
  await publishReplyToRead(trx, { ...inbound, user_id, needs_review, is_crisis }, deps.clock.now());
}

/**
 * The provider's STOP or START wins over our own reading, because the provider has already blocked or unblocked the
 * number. Words of someone in danger, such as "I want to end it all", aren't a request to stop; only the rest is read.
 */
function meaningOf({ autoresponse }: InboundText, rest: string): Meaning {
  if (autoresponse === 'STOP') return { is: 'stop', by: 'keyword' };
  if (autoresponse === 'START') return { is: 'start' };
  return readReply(rest);
}

interface Reply {
  inbound: InboundText;
  meaning: Meaning;
  sender: Sender | null;
  claimant: Sender | null;
  numberHash: string;
}

/** Returns false if there was nothing to apply, so a person should read the reply. */
async function applyReply(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<boolean> {
  const { meaning, inbound, numberHash } = reply;
  const now = deps.clock.now();
  const change = { numberHash, at: inbound.received_at, now };
  switch (meaning.is) {
    case 'stop':
      if (
        await recordOptOut(trx, {
          ...change,
          source: meaning.by,
          isBlocked: inbound.autoresponse === 'STOP',
        })
      )
        await confirmStop(trx, reply, deps);
      return true;
    case 'start':
      await recordOptIn(trx, change);
      await confirmStart(trx, reply, deps);
      return true;
    case 'help':
      await answer(trx, deps, reply, {
        kind: 'help',
        content: helpText(deps.words, reply.sender?.frequency ?? null),
      });
      return true;
    case 'yes':
      return confirmConsent(trx, reply, deps);
    case 'command':
      return changeSetting(trx, reply, meaning.change, deps);
    case 'pause':
      return explain(trx, reply, pauseHelpText(deps.words), deps);
    case 'time':
      return explain(trx, reply, timeHelpText(deps.words, meaning.hours), deps);
    case 'other':
      return false;
  }
}

/** Replies to a subscriber with the correct syntax of a command. */
async function explain(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  content: string,
  deps: InboundDeps,
): Promise<boolean> {
  if (reply.sender === null) return explainNoTexts(trx, reply, deps);
  return confirm(trx, deps, reply, content);
}

/** Replies to accounts that haven't paid yet. A number without an account gets no reply. */
async function explainNoTexts(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<boolean> {
  if (reply.sender !== null) return false;
  const claims = await findClaims(trx, reply.numberHash);
  if (claims.length === 0 || claims.some(hasSubscribed)) return false;
  return confirm(trx, deps, reply, noTextsYetText(deps.words));
}

/** Sends no confirmation if the welcome does (a first START) or the provider (every START it recognizes). */
async function confirmStart(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<void> {
  const { claimant, sender, inbound } = reply;
  if (claimant === null) return;
  const isConfirmed =
    inbound.autoresponse === 'START' || !(await isWelcomed(trx, claimant.user_id));
  await queueFirstTexts(trx, claimant.user_id, deps, true);
  if (isConfirmed || sender === null) return;
  await confirm(trx, deps, reply, optedInText(deps.words));
}

/**
 * Publishes the proof of the number by YES. While several accounts claim the number, YES proves it only for the
 * account that has proven it before, because a stranger may have typed it in first. Returns false if the YES confirms
 * no account.
 */
async function confirmConsent(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<boolean> {
  const now = deps.clock.now();
  const claims = await findClaims(trx, reply.numberHash);
  const confirmed = await findConfirmed(trx, reply.numberHash, now);
  const isTied = ({ user_id, is_proven }: NumberClaim) =>
    user_id === confirmed?.user_id && (is_proven || claims.length === 1);
  if (confirmed === undefined || !claims.some(isTied)) {
    const isUnclear =
      claims.length > 1 && claims.some((one) => !one.is_proven && hasSubscribed(one));
    if (!isUnclear) return explainNoTexts(trx, reply, deps);
    // Names no account, because it may be a stranger's.
    return confirm(trx, deps, { ...reply, sender: null }, unclearYesText(deps.words));
  }
  await publish(
    trx,
    smsEvents,
    'sms.consent.confirmed',
    { user_id: confirmed.user_id, recipient_version: confirmed.version, at: now.toISOString() },
    now,
  );
  // A YES to the first question about a number is confirmed by the welcome.
  const getsWelcome =
    confirmed.isRequested && (confirmed.is_new || !(await isWelcomed(trx, confirmed.user_id)));
  return getsWelcome || confirm(trx, deps, reply, numberConfirmedText(deps.words));
}

/**
 * Returns the recipient whose number a YES proves: the subscriber who gets texts there, else the subscriber who has
 * proven it and has yet to agree, else the account of the latest open request.
 */
async function findConfirmed(
  trx: Transaction<SmsDatabase>,
  numberHash: string,
  now: Date,
): Promise<
  { user_id: string; version: number; is_new: boolean; isRequested: boolean } | undefined
> {
  const consented = await findConsented(trx, numberHash, now);
  if (consented !== undefined)
    return consented.phone_proven || consented.pending_hash !== null
      ? undefined
      : { ...consented, is_new: false, isRequested: false };
  const requested = await findLatestRequested(trx, numberHash);
  return requested && { ...requested, isRequested: true };
}

/** The provider confirms only the stop words that it recognizes, and then refuses our texts. */
async function confirmStop(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  deps: InboundDeps,
): Promise<void> {
  if (reply.inbound.autoresponse === 'STOP') return;
  const content = stopConfirmationText(deps.words);
  await answer(trx, deps, reply, { kind: 'stop_confirmation', content });
}

async function changeSetting(
  trx: Transaction<SmsDatabase>,
  reply: Reply,
  change: ReplyCommand,
  deps: InboundDeps,
): Promise<boolean> {
  const { sender, inbound } = reply;
  if (sender === null) return explainNoTexts(trx, reply, deps);
  // Without the lock, two replies that arrive together would not see each other.
  const recipient = await lockRecipient(trx, sender.user_id);
  if (await isOutdated(trx, inbound, change)) return true;
  const [at, now] = [inbound.received_at, deps.clock.now()];
  if (change.command === 'pause') await pauseTexts(trx, sender, change.days, at);
  if (change.command === 'resume') await storePause(trx, sender.user_id, null, at);
  await publish(
    trx,
    smsEvents,
    'sms.setting.requested',
    { user_id: sender.user_id, change, at: at.toISOString() },
    now,
  );
  const content =
    change.command === 'resume' && recipient !== undefined && isOtherwiseOff(recipient, now)
      ? resumedButOffText(deps.words)
      : confirmationText(deps.words, change);
  return confirm(trx, deps, reply, content);
}

/** Returns whether the subscriber gets no texts for a reason that no RESUME ends. */
function isOtherwiseOff(recipient: RecipientRow, now: Date): boolean {
  const resumed = { ...recipient, opted_out: false, paused_until: null };
  return sendRefusal(resumed, now, '') !== null;
}

/** Returns whether a later reply about the same setting arrived first. */
async function isOutdated(
  trx: Transaction<SmsDatabase>,
  { from, received_at }: InboundText,
  change: ReplyCommand,
): Promise<boolean> {
  const later = (await findCommandsSince(trx, from, received_at)).map((text) =>
    readReply(readCrisis(text).rest),
  );
  return later.some((one) => one.is === 'command' && settingOf(one.change) === settingOf(change));
}

const settingOf = ({ command }: ReplyCommand) => (command === 'resume' ? 'pause' : command);

async function confirm(
  trx: Transaction<SmsDatabase>,
  deps: InboundDeps,
  reply: Reply,
  content: string,
): Promise<true> {
  await answer(trx, deps, reply, { kind: 'confirmation', content });
  return true;
}

/** Stops loops between two auto-responders. */
const maxAnswersPerHour = 6;

/**
 * Replies to a text. Past the limit, one reply per hour says that it's the last, and one STOP per hour is confirmed.
 */
async function answer(
  trx: Transaction<SmsDatabase>,
  deps: InboundDeps,
  { inbound, sender, numberHash }: Reply,
  text: { kind: 'help' | 'confirmation' | 'stop_confirmation'; content: string },
): Promise<void> {
  // Null for short codes and alphanumeric senders too. Replies to expensive numbers would let strangers spend our money.
  if ((await deps.servedCountry(inbound.from)) === null) return;
  const isStop = text.kind === 'stop_confirmation';
  if (!isStop && (await isOptedOut(trx, numberHash))) return;
  const now = deps.clock.now();
  const since = new Date(inbound.received_at.getTime() - hourMs);
  const isOver = (await countAnswered(trx, inbound.from, since)) > maxAnswersPerHour;
  const isStranger = sender === null && !isStop;
  // HELP always gets its reply.
  if (isStranger && text.kind !== 'help' && !(await admitsReply(trx, now, deps))) return;
  const hour = Math.floor(now.getTime() / hourMs);
  await queueTransactionalText(trx, {
    key: isOver
      ? `${isStop ? 'stop' : 'reply'}_limit:${numberHash}:${hour}`
      : `reply:${inbound.id}`,
    kind: text.kind,
    content: isOver && !isStop ? lastReply(text.content) : text.content,
    user_id: sender?.user_id ?? null,
    reply_to: inbound.from,
    // Without an account, a later STOP is found by the number.
    ...(isStranger && { pinned_hash: numberHash }),
    sender: inbound.to,
    timezone: sender?.timezone ?? 'UTC',
    now,
  });
}

/**
 * Applies a PAUSE in the transaction that receives it, so nothing is sent from its commit on. Accounts decides later and
 * publishes the same date; until then its data doesn't count. A RESUME is applied here too, because accounts publishes
 * nothing if it hears of it before the PAUSE.
 */
async function pauseTexts(
  trx: Transaction<SmsDatabase>,
  { user_id, timezone }: { user_id: string; timezone: string | null },
  days: number,
  at: Date,
): Promise<void> {
  if (timezone === null) return;
  const today = at.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate();
  await storePause(trx, user_id, today.add({ days }).toString(), at);
}
