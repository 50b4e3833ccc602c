import { hourMs } from '@daylift/clock/durations';
import type { ExportPart, UserExport } from '@daylift/contracts/accounts.http';
import { ownStatusOf } from '@daylift/contracts/shown-status';
import { Unavailable } from '@daylift/server/error';
import type { InternalClient } from '@daylift/server/internal-client';
import type { AccountsDeps } from '../deps.ts';
import { TooManyExports } from '../errors.ts';
import { linkTriesOf, provenLoginsOf, triesOf } from '../login-tries/try-password.ts';
import { admitCall } from '../users/limited-calls.repository.ts';
import { localDateOf } from '../users/local-dates.ts';
import { meOf } from '../users/user-views.ts';
import { type Session, signedIn } from '../users/users.actions.ts';
import { findLastMessage, lockUser } from '../users/users.repository.ts';
import type { User } from '../users/users.table.ts';
import { findOwnRows } from './exports.repository.ts';

const anHour = { atMost: 10, withinMs: hourMs };

/** Exports everything that any service stores about the user, or fails if one of them doesn't respond. */
export async function exportData(
  deps: AccountsDeps,
  session: Session,
): Promise<{ fileName: string; data: UserExport }> {
  const now = deps.clock.now();
  const user = await deps.db.transaction().execute(async (trx) => {
    const requester = signedIn(await lockUser(trx, session.user_id), session);
    const call = { user_id: requester.id, call: 'export' as const };
    if (!(await admitCall(trx, call, { ...anHour, now }))) throw new TooManyExports();
    return requester;
  });
  const { billing, scheduler, smsGateway } = deps.exportParts;
  const [own, ...others] = await Promise.all([
    findOwnRows(deps.db, user, [triesOf(user), linkTriesOf(user), ...provenLoginsOf(deps, user)]),
    partOf(billing, user),
    partOf(scheduler, user),
    partOf(smsGateway, user),
  ]);
  const [billingPart = {}, schedule = {}, texts = {}] = others;
  const last_message_sent = await findLastMessage(deps.db, user.id);
  const account = { ...profileOf(user, deps.product.publicUrl), last_message_sent, ...own };
  return {
    fileName: `${fileNameOf(deps.product.name)}-data-${localDateOf(now, user.timezone)}.json`,
    data: { exported_at: now.toISOString(), account, billing: billingPart, schedule, texts },
  };
}

/** A missing part would look as if nothing were stored. */
async function partOf(service: InternalClient, user: User): Promise<ExportPart> {
  const part = await service.get<ExportPart>(`/internal/export/${user.id}`);
  if (part === null)
    throw new Unavailable("We can't prepare all of your data right now. Please try again.");
  return part;
}

function profileOf(user: User, publicUrl: string): ExportPart {
  return {
    ...meOf(user, publicUrl),
    is_active: user.is_active,
    unreachable_since: user.unreachable_since,
    email_proven_at: user.email_proven_at,
    email_proven_by: user.email_proof,
    phone_proven_at: user.phone_proven_at,
    phone_proven_by: user.phone_proof,
    opted_out_at: user.phone_proven_at === null ? null : user.opted_out_at,
    erased_unless_paid_by: user.expires_at,
    plan: user.plan,
    subscription_status: ownStatusOf(user.subscription_status, user.entitled),
    setting_changed_by_reply_at: latest(
      user.reply_setting_at,
      user.hour_reply_at,
      user.frequency_reply_at,
    ),
    came_by_a_friend: user.referrer_user_id !== null,
  };
}

const latest = (...dates: (Date | null)[]): Date | null =>
  dates.reduce((one, other) => ((other ?? 0) > (one ?? 0) ? other : one));

const fileNameOf = (product: string): string =>
  product
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'my';
