import type { Sending } from '@daylift/contracts/live.http';
import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { findSendPause } from '../provider/send-pause.repository.ts';

/** Why texts do not go out as they should, if so. */
export async function findSending(db: Kysely<SmsDatabase>): Promise<Sending> {
  const [mode, pause] = await Promise.all([
    db.selectFrom('testing_mode').select('enabled').executeTakeFirstOrThrow(),
    findSendPause(db),
  ]);
  return { testing_mode_enabled: mode.enabled, paused_reason: pause?.reason ?? null };
}
