import type { Loop } from '@daylift/server/loops';
import type { Db } from '../database.ts';
import { deleteForgottenTries } from '../login-tries/login-tries.repository.ts';
import { deleteOldClients } from './known-clients.repository.ts';

/** Deletes forgotten guesses, or unknown logins would fill the table. On the wall clock. */
export function loginTriesLoop(db: Db): Loop {
  return {
    name: 'forget-login-tries',
    everyMs: 3_600_000,
    run: async () => {
      await deleteForgottenTries(db, new Date());
      await deleteOldClients(db);
      return 0;
    },
  };
}
