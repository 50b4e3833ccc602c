import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { findSendPause } from '../provider/send-pause.repository.ts';
import { findFreeze, isFrozen } from './freeze.repository.ts';

/** Returns why nothing is being sent: an operator's freeze, or a provider that refuses everything or is down. */
export async function stopReason(db: Kysely<SmsDatabase>): Promise<'frozen' | 'paused' | null> {
  if (isFrozen(await findFreeze(db))) return 'frozen';
  return (await findSendPause(db)) === null ? null : 'paused';
}
