/** Why a text stands as it does, in words for operators. Codes are the provider's; see src/provider/outcome.ts. */
const words: Record<string, string> = {
  inactive: 'The account is paused or gone',
  delivery_disabled: 'The subscriber switched the texts off',
  paused: 'The subscriber paused the texts',
  no_consent: 'The subscriber has not agreed to get texts',
  opted_out: 'The number said STOP',
  not_entitled: 'No trial or paid plan',
  windows_closed: 'Its hours passed before it could go',
  late: 'Its hours passed before it could go',
  settings_changed: 'Another time was chosen before it went',
  day_used: 'Another text went for this day already',
  testing_mode: 'Codes are e-mailed while testing mode is on',
  worker_lost: 'The sending process stopped in the middle; it may or may not have left',
  no_answer: 'The provider did not answer; it may or may not have left',
  answer_without_id: 'The provider gave no usable answer; it may or may not have left',
  no_evidence: 'The provider knows nothing of it',
  delivery_unconfirmed: 'It left, and no carrier confirmed that it arrived',
};

const codes: Record<string, string> = {
  '10001': 'Our sending number is not active',
  '10002': 'Not a valid phone number',
  '10007': 'The provider failed inside; it may or may not have left',
  '10009': 'The provider does not accept our key',
  '10010': 'Our key may not send texts',
  '10011': 'The provider asked us to slow down',
  '10016': 'Not a valid phone number',
  '20002': 'Our key was withdrawn at the provider',
  '20012': 'Our account at the provider is not active',
  '20013': 'Our account at the provider is blocked',
  '20100': 'Our account at the provider has run out of money',
  '40001': 'The number cannot get texts (a landline?)',
  '40002': 'Held back as spam for now',
  '40003': 'Our number is blocked as spam',
  '40004': 'Rejected by the carrier',
  '40005': 'The phone was not reached in time',
  '40006': 'The carrier could not be reached',
  '40008': 'The carrier could not deliver it',
  '40010': 'Our number is not registered for texts to US numbers',
  '40012': 'The number cannot get texts',
  '40014': 'It waited too long at the provider',
  '40015': 'Held back as spam',
  '40016': 'Our limit for the day at T-Mobile is reached',
  '40017': 'Held back as spam by AT&T',
  '40018': 'Our limit for the minute at AT&T is reached',
  '40300': 'The number said STOP, or cannot be reached',
  '40301': 'The number cannot get this kind of text',
  '40302': 'The text has too many parts',
  '40305': 'Our sending number is not accepted',
  '40306': 'Our sender name is not set up',
  '40307': 'Our sender name is not accepted',
  '40309': 'We may not send to this region',
  '40310': 'Not a valid phone number',
  '40312': 'Our messaging profile at the provider is switched off',
  '40314': 'Our account at the provider is switched off',
  '40315': 'Our messaging profile is not found at the provider',
  '40318': 'The queue at the provider is full',
  '40320': 'The provider cannot take texts right now',
  '40321': 'No usable sending number at the provider',
  '40322': 'The provider blocked these words',
  '40325': 'Our sender name is not valid',
  '40329': 'Our toll-free number is not verified',
  '40331': 'No country is allowed in our messaging profile',
  '40333': 'Our spending limit of the day at the provider is reached',
};

/** `code` is that of the answer or the receipt, where there is one. */
export function reasonInWords(reason: string, code: string | null = null): string {
  const known = words[reason];
  if (known !== undefined) return known;
  const [, source = '', detail = ''] =
    /^(provider|carrier|http|no_connection)_(.+)$/.exec(reason) ?? [];
  const number = code ?? detail;
  if (source === 'no_connection') return 'The provider could not be reached';
  if (source === 'http') return `The provider refused it (HTTP ${detail})`;
  if (codes[number] !== undefined) return codes[number];
  if (source === 'carrier') return 'The carrier did not deliver it';
  if (source === 'provider') return 'The provider refused it';
  return reason.replaceAll('_', ' ');
}
