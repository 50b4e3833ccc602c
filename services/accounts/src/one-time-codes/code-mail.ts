import { oneTimeCode } from '@daylift/server/one-time-code';

const keyPrefix = 'one-time-code:';
/** Stands in the words of a code's mail where the code will stand. */
export const codePlace = '{{code}}';

export const codeMailKey = (requestId: string): string => `${keyPrefix}${requestId}`;

/**
 * The words of a mail as they are sent. The row of a code's mail names its request and never the code, which is made here
 * and kept nowhere; all other mails stay as they are, whatever people wrote into them.
 */
export function withCode(mail: { key: string; text: string }, key: string): string {
  if (!mail.key.startsWith(keyPrefix)) return mail.text;
  const code = oneTimeCode(key, mail.key.slice(keyPrefix.length));
  return mail.text.replaceAll(codePlace, code);
}
