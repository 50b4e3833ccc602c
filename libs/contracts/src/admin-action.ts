import { type Static, Type } from 'typebox';
import { Id, Nullable } from './fields.ts';

/** An entry for the audit log in accounts. Each service publishes its own as `<service>.admin.acted`. */
export const AdminAction = Type.Object({
  admin_id: Id,
  username: Type.String(),
  action: Type.String(),
  target: Nullable(Type.String()),
  /** Old and new values. Never a phone number, a secret or message text. */
  details: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String(),
  request_id: Type.String(),
});
export type AdminAction = Static<typeof AdminAction>;
