import type { AdminRole } from '@daylift/contracts/fields';
import type { SubscriberContacts } from '@daylift/contracts/undelivered.http';
import type { InternalClient } from '@daylift/server/internal-client';
import { emailAsSeenBy, phoneAsSeenBy } from '@daylift/server/mask-contact';

interface Named {
  name: string | null;
  email: string | null;
  phone: string | null;
}

/** Adds names from accounts, which alone stores them. Deleted subscribers have none. */
export async function nameSubscribers<Row extends { user_id: string }>(
  accounts: InternalClient,
  rows: Row[],
  role: AdminRole,
): Promise<(Row & Named)[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.user_id).join(',');
  const people = (await accounts.get<SubscriberContacts>(`/internal/people?ids=${ids}`)) ?? [];
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
