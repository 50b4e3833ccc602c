import type { NoSendReason } from '@daylift/contracts/sms.events';
import { type EligibilityFacts, sendRefusal } from '@daylift/delivery/eligibility';
import { withFirstName } from '@daylift/delivery/first-name';
import type { Slot, TextKind, Windows } from './texts.table.ts';
import { isTransactional, transactionalTextRules } from './transactional-rules.ts';

/** Current data about the recipient; null where some of it hasn't arrived yet. */
export interface RecipientFacts extends EligibilityFacts {
  phone: string | null;
  /** Not proven yet. */
  pending_phone: string | null;
  first_name: string;
  timezone: string | null;
  delivery_hour: number | null;
  frequency: string | null;
  weekday: number | null;
  /** Nothing was texted to the number for so long that it may have a new owner. */
  number_inactive: boolean;
  deleted: boolean;
}

export interface HeldText {
  kind: TextKind;
  user_id: string | null;
  local_date: string;
  content: string;
  windows: Windows;
  slot: Slot | null;
  /** A fixed destination: the number that wrote, or the one to be proven. */
  reply_to: string | null;
  /** Set if the text goes to `reply_to` even after the account's number has changed. */
  pinned_hash: string | null;
  /** Whether another account has proven the pinned number. */
  pin_is_taken: boolean;
  /** Whether a STOP applies to its number, also one without an account. */
  opted_out: boolean;
  /** Planned by the scheduler; null for a transactional text. */
  due_at: Date | null;
  /** How often the provider or a carrier has returned it unsent. */
  returned: number;
}

export interface TestingMode {
  enabled: boolean;
  test_phone: string | null;
}

export type Decision =
  | { do: 'send'; to: string; body: string; is_test: boolean }
  /** With `forWindow`, the text isn't due before then. */
  | { do: 'wait'; until: Date; forWindow?: true }
  | { do: 'end'; state: 'skipped' | 'missed' | 'superseded'; reason: string };

/** How long a text waits for recipient data that arrives in other events. */
const unknownRecipientWaitMs = 2_000;

/**
 * Decides whether a text may be sent at this instant, with which words and to which number. Decided again right before
 * every provider call; the statement that marks the text `inflight` checks that nothing it read has changed.
 */
export function decideSend(
  text: HeldText,
  recipient: RecipientFacts | null,
  {
    testing,
    is_abandoned,
    batch_held_until,
    batch_canceled,
  }: {
    testing: TestingMode;
    is_abandoned: boolean;
    batch_held_until: Date | null;
    batch_canceled: boolean;
  },
  now: Date,
): Decision {
  if (is_abandoned) return { do: 'end', state: 'skipped', reason: 'frozen_skipped' };
  const why = isTransactional(text.kind)
    ? transactionalRefusal(text, recipient)
    : recipient && scheduledRefusal(recipient, now, text.local_date);
  if (why !== null) return { do: 'end', state: 'skipped', reason: why };
  if (recipient !== null && !fitsNumber(text, recipient))
    return { do: 'end', state: 'superseded', reason: 'settings_changed' };
  if (text.slot !== null && recipient !== null && !fitsSettings(text.slot, recipient))
    return { do: 'end', state: 'superseded', reason: 'settings_changed' };
  if (batch_canceled) return { do: 'end', state: 'skipped', reason: 'batch_canceled' };
  const windows = decideByWindows(text.windows, now);
  if (windows !== 'open') return windows;
  if (batch_held_until !== null && now < batch_held_until)
    return { do: 'wait', until: batch_held_until };
  const number = text.reply_to ?? recipient?.phone ?? null;
  if (number === null) {
    // Another account has proven the number.
    if (recipient !== null) return { do: 'end', state: 'skipped', reason: 'inactive' };
    return waitForRecipient(text.windows, now);
  }
  const body = withFirstName(text.content, recipient?.first_name ?? '');
  // The holder of the test phone could otherwise take over any account, so the code goes by email; see
  // code-text.ts.
  if (testing.enabled && text.kind === 'one_time_code')
    return { do: 'end', state: 'skipped', reason: 'testing_mode' };
  const testPhone = testing.enabled ? testing.test_phone : null;
  if (testPhone !== null || text.kind === 'test')
    return { do: 'send', to: testPhone ?? number, body: `[Test] ${body}`, is_test: true };
  return { do: 'send', to: number, body, is_test: false };
}

export const numberInactive = 'number_inactive';

function scheduledRefusal(
  recipient: RecipientFacts,
  now: Date,
  localDate: string,
): NoSendReason | typeof numberInactive | null {
  if (recipient.deleted) return 'inactive';
  const why = sendRefusal(recipient, now, localDate);
  return why ?? (recipient.number_inactive ? numberInactive : null);
}

function transactionalRefusal(
  text: HeldText,
  recipient: RecipientFacts | null,
): NoSendReason | null {
  if (recipient?.deleted) return 'inactive';
  if (text.opted_out && text.kind !== 'stop_confirmation') return 'opted_out';
  if (recipient === null) return null;
  // The account may have been deactivated while the text waited for morning.
  if (!recipient.is_active && (text.kind === 'welcome' || text.kind === 'consent_request'))
    return 'inactive';
  // It asks a number that isn't theirs yet, whatever was agreed for another one.
  if (provesNumber(text) && (text.kind === 'one_time_code' || text.reply_to !== recipient.phone))
    return null;
  const { consent } = transactionalTextRules[text.kind as keyof typeof transactionalTextRules];
  return consent !== null && recipient.consent !== consent ? 'no_consent' : null;
}

/** Returns whether a text asks its number for a proof; only such texts have their own number. */
export function provesNumber({ kind, reply_to }: Pick<HeldText, 'kind' | 'reply_to'>): boolean {
  return reply_to !== null && (kind === 'consent_request' || kind === 'one_time_code');
}

function fitsNumber(text: HeldText, { phone, pending_phone }: RecipientFacts): boolean {
  if (text.pinned_hash !== null) return !text.pin_is_taken;
  return !provesNumber(text) || text.reply_to === phone || text.reply_to === pending_phone;
}

/** A plan made from other settings is void; the scheduler plans that day again. */
function fitsSettings(slot: Slot, recipient: RecipientFacts): boolean {
  return (
    slot.timezone === recipient.timezone &&
    slot.delivery_hour === recipient.delivery_hour &&
    slot.frequency === recipient.frequency &&
    (slot.frequency === 'daily' || slot.weekday === recipient.weekday)
  );
}

export function decideByWindows(windows: Windows, now: Date): 'open' | Decision {
  for (const { opens_at, closes_at } of windows) {
    if (now < new Date(opens_at)) return { do: 'wait', until: new Date(opens_at), forWindow: true };
    if (now < new Date(closes_at)) return 'open';
  }
  return { do: 'end', state: 'missed', reason: 'windows_closed' };
}

function waitForRecipient(windows: Windows, now: Date): Decision {
  const deadline = deadlineOf(windows);
  const until = new Date(now.getTime() + unknownRecipientWaitMs);
  return { do: 'wait', until: until < deadline ? until : deadline };
}

/** Returns the instant from which a text counts as missed. */
export function deadlineOf(windows: Windows): Date {
  return new Date(windows.at(-1)!.closes_at);
}
