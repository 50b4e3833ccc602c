import type { AdminRole } from '@daylift/contracts/fields';
import type { People } from '@daylift/contracts/missed.http';
import type { InternalClient } from '@daylift/server/internal-client';
import { emailAsSeenBy, phoneAsSeenBy } from '@daylift/server/mask-contact';

interface Named {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** Adds names from accounts, which alone stores them. Deleted subscribers have none. */
export async function namePeople<Row extends { user_id: string }>(
  accounts: InternalClient,
  rows: Row[],
  role: AdminRole,
): Promise<(Row & Named)[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.user_id).join(',');
  const people = (await accounts.get<People>(`/internal/people?ids=${ids}`)) ?? [];
  const known = new Map(people.map((one) => [one.id, one]));
  return rows.map((row) => {
    const person = known.get(row.user_id);
    return {
      ...row,
      name: person?.name ?? null,
      email: emailAsSeenBy(role, person?.email ?? null),
      phone: phoneAsSeenBy(role, person?.phone ?? null),
    };
  });
}
