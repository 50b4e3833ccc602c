import { type Static, Type } from 'typebox';
import { Count, Id, Instant, Nullable } from './fields.ts';

/** What GET /admin/audit-log looks for; everything given has to fit. */
export const AuditQuery = Type.Object({
  /** Username of who did it. */
  admin: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  /** Noun and past verb, such as `message.deleted`. */
  action: Type.Optional(Type.String({ pattern: '^[a-z_]+\\.[a-z_]+$', maxLength: 100 })),
  /** Id of what was acted on. */
  target: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  from: Type.Optional(Instant),
  /** The first instant that is left out again. */
  to: Type.Optional(Instant),
  /** Goes on after this entry of the page before. */
  before_entry: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
});
export type AuditQuery = Static<typeof AuditQuery>;

export const AuditEntry = Type.Object({
  entry: Type.Integer({ minimum: 1 }),
  at: Instant,
  /** Null where nobody was recognised. */
  admin: Nullable(Type.String()),
  action: Type.String(),
  target: Nullable(Type.String()),
  /** Who the target is, as far as they are known and still there. */
  target_subscriber: Nullable(Type.Object({ id: Id, name: Type.String() })),
  target_admin: Nullable(Type.String()),
  details: Nullable(Type.Record(Type.String(), Type.Unknown())),
  ip: Nullable(Type.String()),
});
export type AuditEntry = Static<typeof AuditEntry>;
/** GET /admin/audit-log, newest first. */
export const AuditEntryList = Type.Array(AuditEntry);

/** GET /admin/audit-log/verify goes on after this entry. */
export const AuditCheckQuery = Type.Object({
  after_entry: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
});
export const AuditCheck = Type.Object({
  /** Every entry up to this one was looked at. */
  checked_to: Count,
  /** The first entry that does not fit the one before it: something there was changed or taken out. */
  broken_at: Nullable(Type.Integer({ minimum: 1 })),
  /** False where there are more entries to look at. */
  done: Type.Boolean(),
});
export type AuditCheck = Static<typeof AuditCheck>;
