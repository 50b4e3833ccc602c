import { randomUUID } from 'node:crypto';
import type { Trx } from '../database.ts';
import type { User } from '../users/users.table.ts';
import type { ConsentsTable } from './consents.table.ts';

export async function findConsentHashes(trx: Trx, userId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('consents')
    .select('phone_hash')
    .where('user_id', '=', userId)
    .execute();
  return rows.map(({ phone_hash }) => phone_hash);
}

export async function recordConsent(
  trx: Trx,
  user: User,
  proof: Pick<
    ConsentsTable,
    'source' | 'wording_version' | 'given_at' | 'ip' | 'user_agent' | 'phone_hash'
  > & { admin_id?: string },
): Promise<void> {
  await trx
    .insertInto('consents')
    .values({
      id: randomUUID(),
      user_id: user.id,
      timezone: user.timezone,
      delivery_hour: user.delivery_hour,
      admin_id: null,
      ...proof,
    })
    .execute();
}
