import { createFoldLoop } from '@daylift/database/counters';
import type { Running } from '@daylift/events/run-service';
import { createMailLoop } from '@daylift/mail/mail';
import type { Loop } from '@daylift/server/loops';
import { withToken } from './admins/invitations.ts';
import { anchorLoop } from './audit-log/anchors.ts';
import { cleanupLoop } from './cleanup.ts';
import type { AccountsConfig } from './config.ts';
import type { AccountsDatabase } from './database.ts';
import type { AccountsDeps } from './deps.ts';
import { repliesLoop } from './inbox/replies.loop.ts';
import { withCode } from './one-time-codes/code-mail.ts';
import { sendCodesLoop } from './one-time-codes/send-codes.loop.ts';
import { withLinkToken } from './proofs/contact-links.ts';
import { expireSignupsLoop } from './signups/expire-signups.loop.ts';
import { fetchPeriodsLoop } from './users/fetch-periods.loop.ts';
import { republishUsersLoop } from './users/republish-users.loop.ts';

/** Background tasks. Each is safe on any number of replicas. */
export const accountsLoops = (
  deps: AccountsDeps,
  { config, log, events }: Running<AccountsDatabase, AccountsConfig>,
): Loop[] => [
  events.erasureLoop(deps.db),
  sendCodesLoop(deps),
  expireSignupsLoop(deps),
  republishUsersLoop(deps),
  fetchPeriodsLoop(deps),
  anchorLoop({ ...deps, log }),
  cleanupLoop(deps),
  repliesLoop(deps),
  createFoldLoop(deps.db),
  createMailLoop({ ...deps, log, config, render: (mail) => insertSecrets(deps, mail) }),
];

/** Inserts codes and links into a stored mail, which must not contain them. */
function insertSecrets(
  { codeKey, adminSecrets }: AccountsDeps,
  { key, text }: { key: string; text: string },
): string {
  const coded = withCode({ key, text }, codeKey);
  const invited = withToken({ key, text: coded }, adminSecrets);
  return withLinkToken({ key, text: invited }, adminSecrets);
}
