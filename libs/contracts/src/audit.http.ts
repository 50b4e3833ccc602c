import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

export const AuditQuery = Type.Object({
  admin: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  action: Type.Optional(Type.String({ pattern: '^[a-z_]+\\.[a-z_]+$', maxLength: 100 })),
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  from: Type.Optional(Instant),
  /** Exclusive. */
  to: Type.Optional(Instant),
  before_entry: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditEntry = Type.Object({
  entry: Type.Integer({ minimum: 1 }),
  at: Instant,
  admin: Nullable(Type.String()),
  action: Type.String(),
  target: Nullable(Type.String()),
  target_subscriber: Nullable(Type.Object({ id: Id, name: Type.String() })),
  target_admin: Nullable(Type.String()),
  details: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
});
export type AuditEntry = Static<typeof AuditEntry>;
export const AuditEntryList = Type.Array(AuditEntry);

export const AuditCheckQuery = Type.Object({
  after_entry: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
});
export const AuditCheck = Type.Object({
  checked_to: Count,
  /** First entry that doesn't match the one before it: the log was changed there. */
  broken_at: Nullable(Type.Integer({ minimum: 1 })),
  done: Type.Boolean(),
});
export type AuditCheck = Static<typeof AuditCheck>;
