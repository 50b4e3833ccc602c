import { canonicalTimeZone } from '@daylift/server/time-zone';
import { UnknownTimeZone } from '../errors.ts';

export function readTimeZone(input: string): string {
  const name = canonicalTimeZone(input);
  if (name === null) throw new UnknownTimeZone();
  return name;
}
