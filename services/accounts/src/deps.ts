import type { Clock } from '@daylift/clock/clock';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { InternalClient } from '@daylift/server/internal-client';
import type { ReadPhone } from '@daylift/server/phone-number';
import type { AdminSecrets } from './admins/admin-secrets.ts';
import type { ReadAnchor } from './audit-log/anchors.ts';
import type { Db } from './database.ts';
import type { PasswordHashing } from './sessions/password-hashing.ts';
import type { Tokens } from './sessions/tokens.ts';
import type { IdentityHash } from './users/identity-hash.ts';

/** What features that sign people in get. */
export interface SessionDeps extends AccountsDeps {
  tokens: Tokens;
}

export interface AccountsDeps {
  db: Db;
  clock: Clock;
  hashing: PasswordHashing;
  jwtPrivateKey: string;
  identityHash: IdentityHash;
  readPhone: ReadPhone;
  codeKey: string;
  adminSecrets: AdminSecrets;
  operatorTimeZone: string;
  totpRequired: boolean;
  product: Product;
  readAnchor: ReadAnchor;
  /** Applies a committed change at sms-gateway ahead of its event. Never throws, because the event follows. */
  applyRecipient(recipient: Recipient): Promise<void>;
  /** Services that store a subscriber's data. */
  exportParts: Record<'billing' | 'scheduler' | 'smsGateway', InternalClient>;
}

export interface Product {
  name: string;
  supportEmail: string;
  /** Sender of our emails, with or without a name. */
  mailFrom: string;
  /** Without a trailing slash. */
  publicUrl: string;
  adminUrl: string;
}
