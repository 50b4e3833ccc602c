import type { Loop } from '@daylift/server/loops';
import type { Kysely } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import { deleteForgottenTries } from './login-tries.repository.ts';

/** Guesses at logins that do not exist would fill the table for ever. On the wall clock, so nothing waits for it. */
export function loginTriesLoop(db: Kysely<AccountsDatabase>): Loop {
  return {
    name: 'forget-login-tries',
    everyMs: 3_600_000,
    run: () => deleteForgottenTries(db, new Date()).then(() => 0),
  };
}
