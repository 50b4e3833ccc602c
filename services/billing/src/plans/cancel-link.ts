import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import type { Product } from '../product.ts';

/** Binds a link to the first charge, or one announced price, of one subscription. */
export interface CancelLink {
  subscriptionId: string;
  /** The first charge, when the link expires, or the first renewal at the new price, as first announced. */
  until: Date;
}

/** Signs emailed links that cancel without a sign-in. */
export interface CancelLinks {
  tokenOf(link: CancelLink): string;
  /** Returns the link of a genuine token, expired or not. */
  read(token: string): CancelLink | null;
}

/** Derives its key from `secret`, so the service needs no additional secret. */
export function createCancelLinks(secret: string): CancelLinks {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'daylift cancel link', 32));
  const sign = (text: string) => createHmac('sha256', key).update(text).digest();
  return {
    tokenOf({ subscriptionId, until }) {
      const text = `${subscriptionId}.${until.getTime().toString(36)}`;
      return `${text}.${sign(text).toString('base64url')}`;
    },
    read(token) {
      const [subscriptionId = '', end = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const right = sign(`${subscriptionId}.${end}`);
      if (rest.length > 0 || given.length !== right.length || !timingSafeEqual(given, right))
        return null;
      return { subscriptionId, until: new Date(Number.parseInt(end, 36)) };
    },
  };
}

/** The token follows the #, which browsers don't send to servers. */
export const cancelUrlOf = (
  { product, cancelLinks }: { product: Product; cancelLinks: CancelLinks },
  link: CancelLink,
): string => `${product.publicUrl}/cancel-plan#${cancelLinks.tokenOf(link)}`;
