import type { Running } from '@daylift/events/run-service';
import type { AccountsConfig } from '../config.ts';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { hasAdmins, insertAdmin } from './admins.repository.ts';

/**
 * Creates the first owner from the configuration if there is no admin yet. Never changes an existing one. Returns
 * whether anyone can sign in afterward.
 */
export async function ensureFirstOwner(
  deps: Pick<AccountsDeps, 'db' | 'hashing' | 'clock'>,
  configured: { username?: string | undefined; password?: string | undefined },
): Promise<boolean> {
  if (await hasAdmins(deps.db)) return true;
  const { username, password } = configured;
  if (username === undefined || password === undefined) return false;
  const password_hash = await deps.hashing.hash(password);
  await insertAdmin(deps.db, { username, password_hash, role: 'owner' }, deps.clock.now());
  return true;
}

export async function prepareFirstOwner(
  deps: AccountsDeps,
  { config, log }: Pick<Running<AccountsDatabase, AccountsConfig>, 'config' | 'log'>,
): Promise<void> {
  const firstOwner = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (!(await ensureFirstOwner(deps, firstOwner)))
    log.warn('no admin exists; set ADMIN_USERNAME and ADMIN_PASSWORD to create the first owner');
}
