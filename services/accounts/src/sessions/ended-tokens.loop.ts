import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { deleteExpiredTokens } from './ended-tokens.repository.ts';

/** Deletes marks of expired tokens. On the wall clock, like tokens. */
export function endedTokensLoop(db: Kysely<AccountsDatabase>): Loop {
  return {
    name: 'forget-ended-tokens',
    everyMs: 3_600_000,
    run: () => deleteExpiredTokens(db, new Date()).then(() => 0),
  };
}
