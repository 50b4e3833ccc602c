import type { Loop } from '@daylift/server/loops';
import type { Db } from '../database.ts';
import { deleteExpiredTokens } from './ended-tokens.repository.ts';

/** Deletes marks of expired tokens. On the wall clock, like tokens. */
export function endedTokensLoop(db: Db): Loop {
  return {
    name: 'forget-ended-tokens',
    everyMs: 3_600_000,
    run: () => deleteExpiredTokens(db, new Date()).then(() => 0),
  };
}
