import type { MissedPerson, People } from '@daylift/contracts/missed.http';
import type { InternalClient } from '@daylift/server/internal-client';
import { maskPhone } from '@daylift/server/mask-phone';
import type { MissedRow } from './missed.repository.ts';

/** Puts names to rows: accounts alone knows them. */
export async function namePeople(
  accounts: InternalClient,
  rows: MissedRow[],
  seesPhones: boolean,
): Promise<MissedPerson[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.user_id).join(',');
  const known = new Map(
    ((await accounts.get<People>(`/internal/people?ids=${ids}`)) ?? []).map((one) => [one.id, one]),
  );
  return rows.map(({ user_id, timezone, due_at, settled_at }) => {
    const person = known.get(user_id);
    const phone = person?.phone ?? null;
    return {
      user_id,
      name: person?.name ?? null,
      email: person?.email ?? null,
      phone: phone === null || seesPhones ? phone : maskPhone(phone),
      timezone,
      due_at: due_at.toISOString(),
      ended_at: settled_at?.toISOString() ?? null,
    };
  });
}
