import type { AdminRole } from '@daylift/contracts/fields';
import type { Generated, Selectable, Updateable } from 'kysely';

export interface AdminsTable {
  id: string;
  username: string;
  /** Null while an invitation is open. */
  password_hash: string | null;
  role: AdminRole;
  session_version: Generated<number>;
  is_active: Generated<boolean>;
  created_at: Date;
  email: Generated<string | null>;
  last_login_at: Generated<Date | null>;
  /** Encrypted with a key that isn't stored in the database. */
  totp_secret: Generated<string | null>;
  /** On the wall clock, like the codes. */
  totp_begun_at: Generated<Date | null>;
  totp_enabled: Generated<boolean>;
  /** The 30-second step of the last code used. */
  totp_last_step: Generated<number | null>;
}
export type Admin = Selectable<AdminsTable>;
export type AdminChange = Updateable<AdminsTable>;

export interface AdminInvitationsTable {
  admin_id: string;
  /** The token is derived from it. */
  id: string;
  token_hash: Buffer;
  expires_at: Date;
}

export interface AdminRecoveryCodesTable {
  admin_id: string;
  code_hash: Buffer;
}

export interface AuditLogTable {
  /** Counted by the table without gaps, in the order of the chain. */
  position: Generated<number>;
  at: Date;
  /** Null if the actor is unknown. */
  actor_id: string | null;
  actor_username: string | null;
  action: string;
  target: string | null;
  details: string | null;
  ip: string | null;
  request_id: string;
  /** Hash of this entry and the previous hash; computed by the table. */
  hash: Generated<Buffer>;
}
