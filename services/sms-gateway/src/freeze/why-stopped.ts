import type { Kysely } from 'kysely';
import type { SmsDatabase } from '../database.ts';
import { findSendPause } from '../provider/send-pause.repository.ts';
import { findFreeze, isFrozen } from './freeze.repository.ts';

/** Why nothing is sent at present, whatever waits: an operator froze it, or the provider refuses everything or is down. */
export async function whyStopped(db: Kysely<SmsDatabase>): Promise<'frozen' | 'paused' | null> {
  if (isFrozen(await findFreeze(db))) return 'frozen';
  return (await findSendPause(db)) === null ? null : 'paused';
}
