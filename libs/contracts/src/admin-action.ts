import { type Static, Type } from 'typebox';
import { Id, Nullable } from './fields.ts';

/** What an admin did, for the audit log that accounts keeps; each owner publishes it as `<owner>.admin.acted`. */
export const AdminAction = Type.Object({
  admin_id: Id,
  username: Type.String(),
  /** Noun and past verb, such as `message.deleted`. */
  action: Type.String(),
  /** Id of what was acted on. */
  target: Nullable(Type.String()),
  /** What was changed, from and to; never a number, a secret or the words of a person. */
  details: Type.Record(Type.String(), Type.Unknown()),
  ip: Type.String(),
  request_id: Type.String(),
});
export type AdminAction = Static<typeof AdminAction>;
