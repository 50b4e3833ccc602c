import type { UnreachableReason } from '@daylift/contracts/fields';
import type { NoSendReason } from '@daylift/contracts/sms.events';

const noSend: Record<NoSendReason, string> = {
  inactive: 'Account paused by staff.',
  delivery_disabled: 'Texts turned off.',
  paused: 'Texts paused by the subscriber.',
  no_consent:
    "No consent: they haven't replied YES, or haven't since the number became unreachable.",
  opted_out: 'Opted out: no texts until they reply START.',
  not_entitled: 'No trial or paid subscription.',
};
export const noSendInWords = (reason: NoSendReason): string => noSend[reason];

const unreachable: Record<UnreachableReason, string> = {
  landline: "the number is a landline, which can't receive texts",
  undelivered: 'three texts in a row failed',
  disconnected: "the number isn't a working mobile number",
  inactive: 'no text was sent to the number for 45 days',
};
/** Returns why texts wait until the number is confirmed, as the end of a sentence to operators. */
export const unreachableInWords = (reason: UnreachableReason): string => unreachable[reason];

const others: Record<string, string> = {
  number_inactive: 'No text was sent to the number for 45 days, so it must reply YES first.',
  late: 'It was too late to queue it.',
  'no content': 'No content: no message for the day, and none left in the library.',
  windows_closed: "It couldn't be sent in time.",
  frozen: 'Sending was frozen until it was too late.',
  frozen_skipped: 'Skipped by staff after a freeze.',
  batch_canceled: 'Staff canceled the rest of its batch.',
  broke_off: 'Sending failed repeatedly, so it was moved to failed events.',
  provider_down: 'The provider was down until it was too late.',
  discarded: 'Staff discarded it after repeated failures.',
  held_up: 'It was delayed in our own systems.',
  settings_changed: 'They changed their hour, time zone or frequency before it was sent.',
  asked_again: 'They requested it again, so a newer one was sent instead.',
  batch_stopped: 'Its batch was stopped, and no one resumed it in time.',
  connection_reset: 'The connection broke before the provider responded.',
  day_used: 'They already had a text for that date.',
  worker_lost: 'The worker crashed during the call to the provider.',
  no_answer: "The provider didn't respond.",
  answer_without_id: 'The provider’s response had no text ID.',
  no_evidence: 'The provider has no record of it.',
  testing_mode: 'Codes go by email while testing mode is on.',
  delivery_unconfirmed: 'The carrier never confirmed delivery.',
};

/** Meaning of the provider's error codes. */
const codes: Record<string, string> = {
  '10001': "Our sending number isn't active.",
  '10002': 'The phone number is invalid.',
  '10004': 'Our request was missing a parameter.',
  '10007': 'Provider server error.',
  '10009': 'Our API key was rejected.',
  '10010': "Our account isn't allowed to do this.",
  '10011': 'Provider rate limit exceeded.',
  '10015': "The provider couldn't parse our request.",
  '10016': 'The phone number has the wrong format.',
  '20002': 'Our API key was revoked.',
  '20012': 'Our provider account is inactive.',
  '20013': 'Our provider account is blocked.',
  '20100': 'Our provider account had no balance left.',
  '40001': "The number can't receive texts; it may be a landline.",
  '40002': 'A carrier temporarily blocked it as spam.',
  '40003': 'A carrier blocked it as spam.',
  '40004': 'The carrier rejected it.',
  '40005': 'It expired in transit.',
  '40006': 'The carrier’s system was unavailable.',
  '40008': "The carrier couldn't deliver it; the phone may be off.",
  '40009': "The content couldn't be encoded.",
  '40010': "Our number isn't registered for this kind of text.",
  '40011': 'Carrier rate limit exceeded.',
  '40012': "The number isn't a working mobile number.",
  '40014': "It expired in the provider's queue.",
  '40015': 'The provider blocked it as spam.',
  '40016': 'The carrier’s daily limit for our texts was reached.',
  '40017': 'The carrier blocked it as spam.',
  '40018': 'The carrier’s per-minute limit for our texts was reached.',
  '40300': 'The phone was unreachable, or its number is blocked.',
  '40301': "The number doesn't accept this kind of text.",
  '40302': 'The text is too long.',
  '40304': "The content can't be combined this way.",
  '40305': "Our sending number isn't set up at the provider.",
  '40306': "Our sender name isn't set up at the provider.",
  '40307': "Our sender name doesn't match the provider's record.",
  '40309': "Sending to that country isn't enabled.",
  '40310': 'The phone number is invalid.',
  '40312': 'Our messaging profile is disabled at the provider.',
  '40314': 'Our provider account is disabled.',
  '40315': 'Our messaging profile is missing at the provider.',
  '40316': 'The text was empty.',
  '40318': 'The provider’s queue was full.',
  '40320': 'The provider was temporarily unavailable.',
  '40321': 'We have no suitable sending number at the provider.',
  '40322': 'The provider blocked it because of its content.',
  '40325': 'Our sender name is invalid.',
  '40328': 'The text is longer than recommended.',
  '40329': "Our toll-free number isn't verified.",
  '40331': 'Our messaging profile allows no countries.',
  '40333': 'Our daily spending limit at the provider was reached.',
};

/** Returns the meaning of an error code of the provider, or null if it is unknown. */
export const codeInWords = (code: string): string | null => codes[code] ?? null;

export function reasonInWords(reason: string | null): string | null {
  if (reason === null) return null;
  if (reason in noSend) return noSend[reason as NoSendReason];
  const known = others[reason];
  if (known !== undefined) return known;
  const code = /^(?:provider|carrier)_(\d+)$/.exec(reason)?.[1];
  if (code !== undefined)
    return codes[code] === undefined
      ? `Provider error ${code}.`
      : `${codes[code]} (Error ${code}.)`;
  const status = /^http_(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return `The provider responded with status ${status}.`;
  if (reason.startsWith('no_connection')) return 'The provider was unreachable.';
  if (reason === 'carrier_failed') return "The carrier didn't deliver it and gave no reason.";
  return `Reason: ${reason.replaceAll('_', ' ')}.`;
}
