import type { Clock } from '@daylift/clock/clock';
import type { InternalClient } from '@daylift/server/internal-client';
import type { ReadPhone } from '@daylift/server/phone-number';
import type { Kysely } from 'kysely';
import type { AdminSecrets } from './admins/admin-secrets.ts';
import type { ReadAnchor } from './audit-log/anchors.ts';
import type { AccountsDatabase } from './database.ts';
import type { PasswordHashing } from './sessions/password-hashing.ts';
import type { Tokens } from './sessions/tokens.ts';
import type { IdentityHash } from './users/identity-hash.ts';

/** What the routes and actions of this service reach beyond their arguments. */
export interface AccountsDeps {
  db: Kysely<AccountsDatabase>;
  clock: Clock;
  hashing: PasswordHashing;
  tokens: Tokens;
  identityHash: IdentityHash;
  readPhone: ReadPhone;
  /** From which codes are derived; sms-gateway has the same. */
  codeKey: string;
  adminSecrets: AdminSecrets;
  /** Whether every admin has to have a second step at the sign-in. */
  totpRequired: boolean;
  product: Product;
  /** Reads the newest anchor of the audit log from the event stream. */
  readAnchor: ReadAnchor;
  /** Who else keeps something of a subscriber. */
  exportParts: Record<'billing' | 'scheduler' | 'smsGateway', InternalClient>;
}

/** How mails speak of us. */
export interface Product {
  name: string;
  supportEmail: string;
  /** The sender of our mails, an address with or without a name. */
  mailFrom: string;
  /** Without a slash at the end. */
  publicUrl: string;
  /** Where operators find theirs. */
  adminUrl: string;
}
