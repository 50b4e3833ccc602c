import { foldCounters } from '@daylift/database/counters';
import { createDatabase } from '@daylift/database/create-database';
import { joinEvents } from '@daylift/events/join-events';
import { createMailLoop } from '@daylift/mail/mail';
import { createInternalClient } from '@daylift/server/internal-client';
import { createReadPhone } from '@daylift/server/phone-number';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { createAdminSecrets } from './admins/admin-secrets.ts';
import { ensureFirstOwner } from './admins/first-owner.ts';
import { withToken } from './admins/invitations.ts';
import { buildApp } from './app.ts';
import { anchorLoop, anchorOf, anchorType } from './audit-log/anchors.ts';
import { loadAccountsConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { AccountsDatabase } from './database.ts';
import { repliesLoop } from './letters/replies.loop.ts';
import { withCode } from './one-time-codes/code-mail.ts';
import { oneTimeCodeLoops } from './one-time-codes/one-time-codes.loops.ts';
import { withLinkToken } from './proofs/contact-links.ts';
import { endedTokensLoop } from './sessions/ended-tokens.loop.ts';
import { loginTriesLoop } from './sessions/login-tries.loop.ts';
import { createPasswordHashing } from './sessions/password-hashing.ts';
import { createTokens } from './sessions/tokens.ts';
import { expireSignupsLoop } from './signups/expire-signups.loop.ts';
import { createIdentityHash } from './users/identity-hash.ts';
import { republishUsersLoop } from './users/republish-users.loop.ts';

const config = loadAccountsConfig();
await runProcess('accounts', config, async (process) => {
  const { clock, log, onStop } = process;
  const db = createDatabase<AccountsDatabase>({
    url: config.DATABASE_URL,
    name: 'accounts',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const joined = await joinEvents(process, {
    owner: 'accounts',
    db,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
  });
  const asking = (to: string, baseUrl: string) =>
    createInternalClient({
      key: { issuer: 'accounts', privateKey: config.IDENTITY_PRIVATE_KEY },
      to,
      baseUrl,
      timeoutMs: 5_000,
    });
  const adminSecrets = createAdminSecrets(config.ADMIN_SECRET_KEY);
  const deps = {
    db,
    clock,
    hashing: await createPasswordHashing(),
    tokens: createTokens(config.JWT_PRIVATE_KEY),
    identityHash: createIdentityHash(config.IDENTITY_HASH_KEY),
    readPhone: createReadPhone(config.ALLOWED_COUNTRIES.split(',')),
    codeKey: config.ONE_TIME_CODE_KEY,
    adminSecrets,
    totpRequired: config.ADMIN_TOTP_REQUIRED === 'on',
    product: {
      name: config.PRODUCT_NAME,
      supportEmail: config.SUPPORT_EMAIL,
      mailFrom: config.MAIL_FROM,
      publicUrl: config.PUBLIC_URL.replace(/\/$/, ''),
      adminUrl: (config.ADMIN_URL ?? config.PUBLIC_URL).replace(/\/$/, ''),
    },
    readAnchor: async () => {
      const event = await joined.newest(anchorType);
      return event === null ? null : anchorOf(event);
    },
    exportParts: {
      billing: asking('billing', config.BILLING_URL),
      scheduler: asking('scheduler', config.SCHEDULER_URL),
      smsGateway: asking('sms-gateway', config.SMS_GATEWAY_URL),
    },
  };
  const firstOwner = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  await process.untilReachable(() => sql`select 1`.execute(db));
  if (!(await ensureFirstOwner(deps, firstOwner)))
    log.warn('no admin exists; set ADMIN_USERNAME and ADMIN_PASSWORD to create the first owner');
  const mail = createMailLoop({
    db,
    clock,
    log,
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    render: ({ key, text }) =>
      [
        (mail: { key: string; text: string }) => withCode(mail, config.ONE_TIME_CODE_KEY),
        (mail: { key: string; text: string }) => withToken(mail, adminSecrets),
        (mail: { key: string; text: string }) => withLinkToken(mail, adminSecrets),
      ].reduce((words, fill) => fill({ key, text: words }), text),
  });
  onStop(() => mail.close());
  const events = joined.consume(subscriptions(deps));
  const app = await buildApp({
    deps,
    identityPublicKeys: config.IDENTITY_PUBLIC_KEYS,
    logLevel: config.LOG_LEVEL,
    readiness: { database: () => sql`select 1`.execute(db), events: () => joined.check() },
  });
  return {
    app,
    loops: [
      ...events.loops,
      joined.erasureLoop(db),
      ...oneTimeCodeLoops(deps),
      expireSignupsLoop(deps),
      republishUsersLoop(deps),
      anchorLoop({ ...deps, log }),
      loginTriesLoop(db),
      endedTokensLoop(db),
      repliesLoop(deps),
      { name: 'fold-counters', everyMs: 1_000, run: () => foldCounters(db) },
      mail,
    ],
    start: events.start,
  };
});
