import type { NoSendReason } from '@daylift/contracts/sms.events';

/** Why somebody may get no text, now or then, for operators. */
const noSend: Record<NoSendReason, string> = {
  inactive: 'Account paused by staff.',
  delivery_disabled: 'Texts switched off.',
  paused: 'Texts paused by the subscriber.',
  no_consent: 'No consent: no YES from their number.',
  opted_out: 'Stopped: their number replied STOP.',
  not_entitled: 'No trial and no paid subscription.',
};
export const noSendInWords = (reason: NoSendReason): string => noSend[reason];

const others: Record<string, string> = {
  late: 'Its time had passed before it could be handed over.',
  'no content': 'There was nothing to send: no message for the day, and none left in the library.',
  windows_closed: 'Its time passed before it could be sent.',
  frozen: 'Sending was frozen by staff until its time had passed.',
  frozen_skipped: 'Sending was frozen, and staff chose to skip what fell due meanwhile.',
  broke_off: 'Our attempts to send it broke off again and again, so it was parked.',
  provider_down: 'The provider was down until its time had passed.',
  discarded: 'Staff discarded it after it had failed again and again.',
  held_up: 'It was held up in our own house.',
  settings_changed: 'They chose another hour, zone or frequency before it left.',
  day_used: 'They had a text of that date already.',
  worker_lost: 'The process that sent it stopped in the middle of the call.',
  no_answer: 'The provider did not answer the call.',
  answer_without_id: 'The provider’s answer said nothing of the text.',
  no_evidence: 'The provider knows nothing of it.',
  testing_mode: 'Codes go by e-mail while testing mode is on.',
  delivery_unconfirmed: 'The carrier never said whether it arrived.',
};

/** Codes of the provider, for its answers and for its receipts alike. */
const codes: Record<string, string> = {
  '10001': 'Our sending number is not active at the provider.',
  '10002': 'The number is not valid.',
  '10004': 'Something in what we sent was missing.',
  '10007': 'The provider had an error of its own.',
  '10009': 'The provider did not accept our key.',
  '10010': 'Our account may not do this.',
  '10011': 'The provider asked us to slow down.',
  '10015': 'The provider could not read what we sent.',
  '10016': 'The number is not written as it should be.',
  '20002': 'Our key at the provider was revoked.',
  '20012': 'Our account at the provider is inactive.',
  '20013': 'Our account at the provider is blocked.',
  '20100': 'There was no money left in our account at the provider.',
  '40001': 'The number cannot be reached by text, such as a landline.',
  '40002': 'A carrier took it for spam, for the moment.',
  '40003': 'A carrier took it for spam and blocks it.',
  '40004': 'The carrier rejected it.',
  '40005': 'It ran out of time on its way.',
  '40006': 'The carrier’s system was not available.',
  '40008': 'The carrier could not deliver it: the phone may be off or gone.',
  '40009': 'The words could not be sent as they were.',
  '40010': 'Our number is not registered for this kind of text.',
  '40011': 'Too many texts at once for the carrier.',
  '40012': 'The number is not a working mobile number.',
  '40014': 'It waited at the provider for too long.',
  '40015': 'The provider took it for spam.',
  '40016': 'The carrier’s limit of our texts for the day was reached.',
  '40017': 'The carrier took it for spam.',
  '40018': 'The carrier’s limit of our texts for the minute was reached.',
  '40300': 'The phone could not be reached, or its number is blocked.',
  '40301': 'The number takes no texts of this kind.',
  '40302': 'The text is too long.',
  '40304': 'The content is not allowed together.',
  '40305': 'Our sending number is not set up at the provider.',
  '40306': 'Our sender name is not set up at the provider.',
  '40307': 'Our sender name does not fit what the provider has.',
  '40309': 'We may not send to that country.',
  '40310': 'The number is not valid.',
  '40312': 'Our messaging profile is switched off at the provider.',
  '40314': 'Our account at the provider is switched off.',
  '40315': 'Our messaging profile is missing at the provider.',
  '40316': 'There were no words in it.',
  '40318': 'The provider’s queue was full.',
  '40320': 'The provider was not available for a moment.',
  '40321': 'We have no number at the provider that could send it.',
  '40322': 'The provider blocked it for its content.',
  '40325': 'Our sender name is not valid.',
  '40328': 'The text is longer than advised.',
  '40329': 'Our toll-free number is not verified.',
  '40331': 'No country is allowed in our messaging profile at the provider.',
  '40333': 'Our spending limit of the day at the provider was reached.',
};

/** A reason as a sentence; one that nobody has words for is told as it stands. */
export function reasonInWords(reason: string | null): string | null {
  if (reason === null) return null;
  if (reason in noSend) return noSend[reason as NoSendReason];
  const known = others[reason];
  if (known !== undefined) return known;
  const code = /^(?:provider|carrier)_(\d+)$/.exec(reason)?.[1];
  if (code !== undefined)
    return codes[code] === undefined
      ? `The provider gave the error ${code}.`
      : `${codes[code]} (Error ${code}.)`;
  const status = /^http_(\d+)$/.exec(reason)?.[1];
  if (status !== undefined) return `The provider answered with the status ${status}.`;
  if (reason.startsWith('no_connection')) return 'The provider could not be reached.';
  if (reason === 'carrier_failed') return 'The carrier did not deliver it and did not say why.';
  return `The reason that is noted: ${reason.replaceAll('_', ' ')}.`;
}
