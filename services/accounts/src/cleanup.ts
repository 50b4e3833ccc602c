import { createCleanupLoop } from '@daylift/database/cleanup';
import type { Loop } from '@daylift/server/loops';
import { failedGoodbyes } from './deletions/deletions.repository.ts';
import type { AccountsDeps } from './deps.ts';
import { forgottenTries } from './login-tries/login-tries.repository.ts';
import { oldCodes } from './one-time-codes/one-time-codes.repository.ts';
import { oldLinks } from './proofs/contact-links.repository.ts';
import { expiredTokens } from './sessions/ended-tokens.repository.ts';
import { oldClients } from './sessions/known-clients.repository.ts';
import { oldAddressCalls } from './users/address-calls.repository.ts';

export const cleanupLoop = (deps: Pick<AccountsDeps, 'db' | 'clock'>): Loop =>
  createCleanupLoop(deps, [
    oldCodes,
    oldAddressCalls,
    oldLinks,
    forgottenTries,
    oldClients,
    expiredTokens,
    failedGoodbyes,
  ]);
