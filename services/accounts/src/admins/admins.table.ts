import type { AdminRole } from '@daylift/contracts/fields';
import type { Generated, Selectable } from 'kysely';

export interface AdminsTable {
  id: string;
  username: string;
  password_hash: string;
  role: AdminRole;
  session_version: Generated<number>;
  is_active: Generated<boolean>;
  created_at: Date;
}
export type Admin = Selectable<AdminsTable>;

export interface AuditLogTable {
  /** Counted by the table, without gaps, in the order of the chain. */
  position: Generated<number>;
  at: Date;
  /** Null where nobody was recognised. */
  actor_id: string | null;
  actor_username: string | null;
  action: string;
  target: string | null;
  /** JSON text. */
  details: string | null;
  ip: string | null;
  request_id: string;
  /** Over this entry and the hash of the one before it; made by the table. */
  hash: Generated<Buffer>;
}
