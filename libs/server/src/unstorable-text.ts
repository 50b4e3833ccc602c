import type { FastifyRequest } from 'fastify';
import { createError } from './error.ts';

const UnstorableText = createError(
  'INVALID_TEXT',
  'The request contains invalid characters. Please remove them.',
  400,
);

/**
 * Postgres refuses NUL, and half a surrogate pair or a replaced byte is no text that anyone typed. Refused before any
 * route sees it, so that it is the sender's error and not ours. Raw bodies (webhooks) pass as they are.
 */
export async function refuseUnstorableText(request: FastifyRequest): Promise<void> {
  const parts = [request.query, request.params, isJson(request.body) ? request.body : null];
  if (parts.some(holdsUnstorableText)) throw new UnstorableText();
}

/** Walks with a list of its own rather than by recursion: a body may be nested as deep as it is long. */
function holdsUnstorableText(part: unknown): boolean {
  const waiting: unknown[] = [part];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string' && isUnstorable(value)) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (isUnstorable(key)) return true;
      waiting.push(inner);
    }
  }
  return false;
}

/** A stream or a buffer is not. */
const isJson = (body: unknown) =>
  Array.isArray(body) ||
  (body instanceof Object && Object.getPrototypeOf(body) === Object.prototype);

const isUnstorable = (text: string) =>
  !text.isWellFormed() || text.includes('\0') || text.includes('\uFFFD');
