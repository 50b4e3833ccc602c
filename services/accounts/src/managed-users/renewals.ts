import type { Renewal } from '@daylift/contracts/billing.http';
import { Unavailable } from '@daylift/server/error';
import type { AccountsDeps } from '../deps.ts';

/** Keeps the query string short. */
const atOnce = 100;

/** Returns when these subscribers' plans renew or end, by user. Empty while billing is unavailable. */
export async function findRenewals(
  { exportParts }: Pick<AccountsDeps, 'exportParts'>,
  ids: string[],
): Promise<Map<string, Renewal>> {
  const pages = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, page) =>
    ids.slice(page * atOnce, (page + 1) * atOnce),
  );
  const found = await Promise.all(
    pages.map(async (page) => {
      try {
        return await exportParts.billing.get<Renewal[]>(`/internal/renewals?ids=${page.join(',')}`);
      } catch (error) {
        if (error instanceof Unavailable) return null;
        throw error;
      }
    }),
  );
  return new Map(found.flatMap((page) => page ?? []).map((one) => [one.user_id, one]));
}
