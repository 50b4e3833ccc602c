import { createHash } from 'node:crypto';

/** Returns the same id for a name on every installation: a name-based UUID (version 8). */
export function libraryId(kind: 'template' | 'faq' | 'sequence', name: string): string {
  const hash = createHash('sha256').update(`daylift:${kind}:${name}`).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}
