import { type Static, Type } from 'typebox';

/** Body of every answer with a status of 400 or more. `detail` is a sentence that a person can act on. */
export const ErrorBody = Type.Object({
  detail: Type.String(),
  code: Type.String(),
  request_id: Type.String(),
});
export type ErrorBody = Static<typeof ErrorBody>;
