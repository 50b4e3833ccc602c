import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { deleteExpiredTokens } from './ended-tokens.repository.ts';

/** A token that has expired needs no mark that it was ended. On the wall clock, as tokens are. */
export function endedTokensLoop(db: Kysely<AccountsDatabase>): Loop {
  return {
    name: 'forget-ended-tokens',
    everyMs: 3_600_000,
    run: () => deleteExpiredTokens(db, new Date()).then(() => 0),
  };
}
