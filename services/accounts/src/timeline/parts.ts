import type { MissingPart } from '@daylift/contracts/timeline.http';
import { Unavailable } from '@daylift/server/error';
import type { AccountsDeps } from '../deps.ts';

const services = { schedule: 'scheduler', texts: 'smsGateway', billing: 'billing' } as const;

export interface Parts {
  /** Returns the other service's data, or null and adds its name to `missing`. */
  read<T>(part: MissingPart, path: string): Promise<T | null>;
  missing: MissingPart[];
}

/** Reads from the other services. One that doesn't respond is listed as missing and doesn't hold up the rest. */
export function readParts({ exportParts }: Pick<AccountsDeps, 'exportParts'>): Parts {
  const missing: MissingPart[] = [];
  const miss = (part: MissingPart) => {
    if (!missing.includes(part)) missing.push(part);
    return null;
  };
  return {
    missing,
    async read<T>(part: MissingPart, path: string): Promise<T | null> {
      try {
        return (await exportParts[services[part]].get<T>(path)) ?? miss(part);
      } catch (error) {
        if (error instanceof Unavailable) return miss(part);
        throw error;
      }
    },
  };
}
