import type { Admin } from '../admins/admins.table.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { countFailure, forgetTries } from '../login-tries/login-tries.repository.ts';
import { takeTry, totpTriesOf } from '../login-tries/try-password.ts';
import { plainCode } from './recovery-codes.ts';
import { useRecoveryCode, useStep } from './totp.repository.ts';
import { stepOf } from './totp.ts';

export type AfterFailure = (trx: Trx, failures: number) => Promise<void>;

export async function checkTotp(
  deps: AccountsDeps,
  admin: Admin,
  typed: string,
  afterFailure?: AfterFailure,
): Promise<'app' | 'recovery code' | null> {
  const key = totpTriesOf(admin);
  await takeTry(deps, key);
  const by = await deps.db.transaction().execute(async (trx) => {
    const used = await useCode(trx, deps, admin, plainCode(typed));
    if (used === null) await afterFailure?.(trx, await countFailure(trx, key, new Date()));
    return used;
  });
  if (by !== null) await forgetTries(deps.db, key);
  return by;
}

async function useCode(trx: Trx, deps: AccountsDeps, admin: Admin, code: string) {
  if (!/^\d{6}$/.test(code)) {
    const right = await useRecoveryCode(trx, admin.id, deps.adminSecrets.hash(code));
    return right ? ('recovery code' as const) : null;
  }
  if (admin.totp_secret === null) return null;
  const step = stepOf(deps.adminSecrets.open(admin.id, admin.totp_secret), code, new Date());
  if (step === null) return null;
  return (await useStep(trx, admin.id, step)) ? ('app' as const) : null;
}
