import createFastifyError from '@fastify/error';

export interface ErrorLine {
  code: string;
  detail: string;
  status: number;
}
const lines = new Map<string, ErrorLine>();

/** Declares an error: `code` for programs, `detail` for people (`%s` takes an argument). The server's error handler
 * responds with `{ detail, code, request_id }`. */
export function createError(code: string, detail: string, status: number) {
  lines.set(code, { code, detail, status });
  return createFastifyError(code, detail, status);
}

const withStatus = (status: number) => (code: string, detail: string) =>
  createError(code, detail, status);
export const badRequest = withStatus(400);
export const notFound = withStatus(404);
export const conflict = withStatus(409);
export const tooManyRequests = withStatus(429);
export const unavailable = withStatus(503);

export const errorTable = (): ErrorLine[] => [...lines.values()];

export const Unauthorized = createError('UNAUTHORIZED', 'Please sign in.', 401);
export const Forbidden = createError('FORBIDDEN', "You don't have permission to do this.", 403);
export const NotFound = createError('NOT_FOUND', '%s', 404);
export const Unavailable = createError('UNAVAILABLE', '%s', 503);
