import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** Derives and encrypts admins' secrets with one configured key, so a copy of the database reveals none. */
export interface AdminSecrets {
  /** Bound to its owner: it can't be opened in another admin's row. */
  seal(adminId: string, text: string): string;
  open(adminId: string, sealed: string): string;
  /** Returns an invitation's token, 256 bits. Derived whenever it is needed and never stored. */
  invitationToken(invitationId: string): string;
  /** The same for a link that proves or restores a subscriber's address. */
  linkToken(linkId: string): string;
  hash(value: string): Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

export function createAdminSecrets(masterKey: string): AdminSecrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32));
  const sealing = derive('seal');
  const inviting = derive('invitation');
  const linking = derive('contact-link');
  const hashing = derive('hash');
  return {
    seal(adminId, text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(Buffer.from(adminId));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64');
    },
    open(adminId, sealed) {
      const bytes = Buffer.from(sealed, 'base64');
      const tag = bytes.subarray(ivBytes, ivBytes + tagBytes);
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(adminId))
        .setAuthTag(tag);
      const text = [decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()];
      return Buffer.concat(text).toString('utf8');
    },
    invitationToken: (id) => createHmac('sha256', inviting).update(id).digest('base64url'),
    linkToken: (id) => createHmac('sha256', linking).update(id).digest('base64url'),
    hash: (value) => createHmac('sha256', hashing).update(value).digest(),
  };
}
