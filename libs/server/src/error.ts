import createFastifyError from '@fastify/error';

export interface ErrorLine {
  code: string;
  detail: string;
  status: number;
}
const lines = new Map<string, ErrorLine>();

/**
 * One line of a service's error table: `code` for programs, `detail` for people (`%s` takes an argument).
 * Thrown anywhere below a route; the one handler of the server writes `{detail, code, request_id}`.
 */
export function createError(code: string, detail: string, status: number) {
  lines.set(code, { code, detail, status });
  return createFastifyError(code, detail, status);
}

/** All that this process can answer instead of what was asked for, as its description tells it. */
export const errorTable = (): ErrorLine[] => [...lines.values()];

export const Unauthorized = createError('UNAUTHORIZED', 'Please sign in.', 401);
export const Forbidden = createError('FORBIDDEN', 'You are not allowed to do this.', 403);
export const NotFound = createError('NOT_FOUND', '%s', 404);
export const Unavailable = createError('UNAVAILABLE', '%s', 503);
