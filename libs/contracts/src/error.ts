import { type Static, Type } from 'typebox';

/** Body of every error response. `detail` is a sentence that the user can act on. */
export const ErrorBody = Type.Object({
  detail: Type.String(),
  code: Type.String(),
  request_id: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;
