import { createHash, createHmac, hkdfSync } from 'node:crypto';

const codePlaceholder = '{{gift_code}}';
const keyForm = /^gift:([0-9a-f-]{36})/;

export interface GiftCodes {
  /** Returns a gift's code: 256 bits in base64url. */
  codeOf(giftId: string): string;
  /** Inserts the code into a gift's mail, which is stored without it. */
  insert(mail: { key: string; text: string }): string;
}

/** Derives its key from `secret`. Sent codes survive a new secret, because their hashes are stored. */
export function createGiftCodes(secret: string): GiftCodes {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'daylift gift code', 32));
  const codeOf = (giftId: string) => createHmac('sha256', key).update(giftId).digest('base64url');
  return {
    codeOf,
    insert({ key: mailKey, text }) {
      const id = keyForm.exec(mailKey)?.[1];
      return id === undefined ? text : text.replaceAll(codePlaceholder, codeOf(id));
    },
  };
}

export const hashOfCode = (code: string): string =>
  createHash('sha256').update(code).digest('base64url');

/** Returns the address of a gift for its mail. The code follows the #, which browsers don't send to servers. */
export const giftLink = (publicUrl: string): string => `${publicUrl}/redeem#${codePlaceholder}`;
