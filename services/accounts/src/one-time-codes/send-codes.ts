import { randomUUID } from 'node:crypto';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import { publish } from '@daylift/events/publish';
import { queueMail } from '@daylift/mail/mail';
import type { Transaction } from 'kysely';
import type { AccountsDatabase } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { countPhoneChanges } from '../users/phone-changes.repository.ts';
import { lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import {
  betweenCodesMs,
  codeLifetimeMs,
  codesADay,
  dayMs,
  triesOfCode,
  youngNumberMs,
} from './code-limits.ts';
import { codeMailKey } from './code-mail.ts';
import {
  countCodes,
  lockOpenCode,
  replaceOpenCode,
  takeCodeAsks,
} from './one-time-codes.repository.ts';
import { codeByMail } from './words.ts';

export type CodeDeps = Pick<AccountsDeps, 'db' | 'clock' | 'product'>;
type Trx = Transaction<AccountsDatabase>;

const atOnce = 20;

/** Looks through what was asked for; whoever is over a limit, or nobody, gets nothing. Answers how many asked. */
export function sendCodes(deps: CodeDeps): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const asks = await takeCodeAsks(trx, atOnce);
    const users = new Set(asks.flatMap(({ user_id }) => user_id ?? []));
    // Always in the same order, so that replicas do not wait for each other's users crosswise.
    for (const userId of [...users].sort()) await sendCode(trx, deps, userId);
    return asks.length;
  });
}

async function sendCode(trx: Trx, deps: CodeDeps, userId: string): Promise<void> {
  const user = await lockUser(trx, userId);
  const wall = new Date();
  if (user?.is_active !== true || (await isOverLimit(trx, userId, wall))) return;
  const now = deps.clock.now();
  const request_id = randomUUID();
  const expires_at = new Date(now.getTime() + codeLifetimeMs);
  const code = { request_id, user_id: user.id, requested_at: wall, expires_at };
  await replaceOpenCode(trx, { ...code, tries_left: triesOfCode, closed_at: null }, now);
  if (await isReachedByText(trx, user, now)) {
    const fact = { request_id, user_id: user.id, expires_at: expires_at.toISOString() };
    await publish(trx, accountsEvents, 'accounts.code.requested', fact, now);
  } else {
    await queueCodeMail(trx, deps, { user, request_id, now });
  }
}

/** sms-gateway did not text a code: it goes by e-mail, as long as it is good for anything. */
export async function mailCode(
  trx: Trx,
  deps: Pick<CodeDeps, 'clock' | 'product'>,
  { user_id, request_id }: { user_id: string; request_id: string },
): Promise<void> {
  const user = await lockUser(trx, user_id);
  const open = await lockOpenCode(trx, user_id);
  const now = deps.clock.now();
  if (user === undefined || open?.request_id !== request_id || open.expires_at <= now) return;
  await queueCodeMail(trx, deps, { user, request_id, now });
}

function queueCodeMail(
  trx: Trx,
  { product }: Pick<CodeDeps, 'product'>,
  { user, request_id, now }: { user: User; request_id: string; now: Date },
): Promise<void> {
  const mail = { key: codeMailKey(request_id), to: user.email, ...codeByMail(user, product) };
  return queueMail(trx, mail, now);
}

async function isOverLimit(trx: Trx, userId: string, wall: Date): Promise<boolean> {
  const { count, newest } = await countCodes(trx, userId, new Date(wall.getTime() - dayMs));
  if (count >= codesADay) return true;
  return newest !== null && wall.getTime() - newest.getTime() < betweenCodesMs;
}

/** A number that was stopped, has not agreed to texts, or that somebody else may just have put there, is not. */
async function isReachedByText(trx: Trx, user: User, now: Date): Promise<boolean> {
  if (user.opted_out || user.consent !== 'granted') return false;
  const since = new Date(now.getTime() - youngNumberMs);
  return (await countPhoneChanges(trx, user.id, since)) === 0;
}
