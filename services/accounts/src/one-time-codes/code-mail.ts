import { oneTimeCode } from '@daylift/server/one-time-code';

const keyPrefix = 'one-time-code:';
export const codePlace = '{{code}}';

export const codeMailKey = (requestId: string): string => `${keyPrefix}${requestId}`;

/**
 * Returns the final words of an email. Its row names the request and never the code, which is derived here and not
 * stored. Other emails are returned unchanged.
 */
export function withCode(mail: { key: string; text: string }, key: string): string {
  if (!mail.key.startsWith(keyPrefix)) return mail.text;
  const code = oneTimeCode(key, mail.key.slice(keyPrefix.length));
  return mail.text.replaceAll(codePlace, code);
}
