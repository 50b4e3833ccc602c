import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { AcceptInvitationRequest } from '@daylift/contracts/admins.http';
import { queueMail } from '@daylift/mail/mail';
import { type AuditContext, recordAudit } from '../audit-log/audit.ts';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { InvitationInvalid } from '../errors.ts';
import { forgetLoginTries } from '../login-tries/login-tries.repository.ts';
import { allAdminTriesOf } from '../login-tries/try-password.ts';
import type { AdminSecrets } from './admin-secrets.ts';
import { replaceInvitation, takeInvitation, updateAdmin } from './admins.repository.ts';
import type { Admin } from './admins.table.ts';
import { invitationWords } from './words.ts';

const lifetimeMs = 72 * hourMs;
const mailPrefix = 'admin-invitation:';
const tokenPlace = '{{token}}';

type Deps = Pick<AccountsDeps, 'clock' | 'adminSecrets' | 'product'>;

/** The token comes after the #, which browsers don't send. The page shows the username, which sign-in needs. */
const urlOf = (deps: Deps, { username }: Admin, token: string): string =>
  `${deps.product.adminUrl}/admin/invitation?${new URLSearchParams({ username })}#${token}`;

/** Creates the one link by which this admin can choose a password, and emails it. */
export async function invite(
  trx: Trx,
  deps: Deps,
  admin: Admin,
): Promise<{ invitation_url: string; expires_at: string }> {
  const now = deps.clock.now();
  const id = randomUUID();
  const expires_at = new Date(now.getTime() + lifetimeMs);
  const token = deps.adminSecrets.invitationToken(id);
  const token_hash = deps.adminSecrets.hash(token);
  await forgetLoginTries(trx, allAdminTriesOf(admin));
  await replaceInvitation(trx, { id, admin_id: admin.id, token_hash, expires_at });
  if (admin.email !== null) {
    const words = invitationWords(admin, deps.product, urlOf(deps, admin, tokenPlace));
    await queueMail(trx, { key: `${mailPrefix}${id}`, to: admin.email, ...words }, now);
  }
  return { invitation_url: urlOf(deps, admin, token), expires_at: expires_at.toISOString() };
}

/** Returns the final words of an email. Its row holds the invitation's id and never the token. */
export function withToken(mail: { key: string; text: string }, secrets: AdminSecrets): string {
  if (!mail.key.startsWith(mailPrefix)) return mail.text;
  const token = secrets.invitationToken(mail.key.slice(mailPrefix.length));
  return mail.text.replaceAll(tokenPlace, token);
}

export async function acceptInvitation(
  deps: AccountsDeps,
  request: AcceptInvitationRequest,
  context: AuditContext,
): Promise<Admin> {
  const token_hash = deps.adminSecrets.hash(request.token);
  const now = deps.clock.now();
  const password_hash = await deps.hashing.hash(request.password);
  return deps.db.transaction().execute(async (trx) => {
    const taken = await takeInvitation(trx, token_hash, now);
    if (taken === undefined) throw new InvitationInvalid();
    const admin = await updateAdmin(trx, taken.admin_id, { password_hash });
    await forgetLoginTries(trx, allAdminTriesOf(admin));
    const actor = { admin_id: admin.id, username: admin.username };
    await recordAudit(trx, now, { ...context, actor, action: 'admin.joined', target: admin.id });
    return admin;
  });
}
