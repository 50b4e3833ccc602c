import type { FastifyRequest } from 'fastify';
import { createError } from './error.ts';

const UnstorableText = createError(
  'INVALID_TEXT',
  'The request contains invalid characters. Please remove them.',
  400,
);

/**
 * Rejects NUL, lone surrogates and replacement characters before any route sees them: Postgres would reject NUL, which
 * would count as our error. Raw bodies (webhooks) aren't checked.
 */
export async function rejectUnstorableText(request: FastifyRequest): Promise<void> {
  const parts = [request.query, request.params, isJson(request.body) ? request.body : null];
  if (parts.some(containsUnstorableText)) throw new UnstorableText();
}

/** Iterative, because a body can be nested too deeply for recursion. */
function containsUnstorableText(part: unknown): boolean {
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

const isJson = (body: unknown) =>
  Array.isArray(body) ||
  (body instanceof Object && Object.getPrototypeOf(body) === Object.prototype);

const isUnstorable = (text: string) =>
  !text.isWellFormed() || text.includes('\0') || text.includes('\uFFFD');
