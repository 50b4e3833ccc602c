import { createDatabase } from '@daylift/database/create-database';
import { connectBus } from '@daylift/events/bus';
import { createConsumer } from '@daylift/events/consume';
import { createRelay, listenToOutbox } from '@daylift/events/relay';
import { runProcess } from '@daylift/server/run-process';
import { sql } from 'kysely';
import { ensureFirstOwner } from './admins/first-owner.ts';
import { buildApp } from './app.ts';
import { loadAccountsConfig } from './config.ts';
import { subscriptions } from './consumers.ts';
import type { AccountsDatabase } from './database.ts';
import { loginTriesLoop } from './sessions/login-tries.loop.ts';
import { createPasswordHashing } from './sessions/password-hashing.ts';
import { createTokens } from './sessions/tokens.ts';
import { createIdentityHash } from './users/identity-hash.ts';
import { createReadPhone } from './users/phone-number.ts';

const config = loadAccountsConfig();
await runProcess('accounts', config, async ({ clock, log, onStop, nudge }) => {
  const db = createDatabase<AccountsDatabase>({
    url: config.DATABASE_URL,
    name: 'accounts',
    onError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  onStop(() => db.destroy());
  const bus = await connectBus({ url: config.NATS_URL, name: 'accounts' });
  onStop(() => bus.close());
  const deps = {
    db,
    clock,
    hashing: await createPasswordHashing(),
    tokens: createTokens(config.JWT_PRIVATE_KEY),
    identityHash: createIdentityHash(config.IDENTITY_HASH_KEY),
    readPhone: createReadPhone(config.ALLOWED_COUNTRIES.split(',')),
  };
  const firstOwner = { username: config.ADMIN_USERNAME, password: config.ADMIN_PASSWORD };
  if (!(await ensureFirstOwner(deps, firstOwner)))
    log.warn('there is no admin: set ADMIN_USERNAME and ADMIN_PASSWORD to make the first owner');
  const consumers = subscriptions(deps).map((one) =>
    createConsumer({ service: 'accounts', db, bus, clock, log }, one),
  );
  onStop(() => Promise.all(consumers.map((one) => one.stop())));
  const listening = new AbortController();
  onStop(() => listening.abort());
  void listenToOutbox({
    databaseUrl: config.DATABASE_URL,
    wake: () => nudge('outbox-relay'),
    signal: listening.signal,
  });
  const app = await buildApp({
    deps,
    identitySecret: config.INTERNAL_TOKEN_SECRET,
    logLevel: config.LOG_LEVEL,
    readiness: { database: () => sql`select 1`.execute(db), events: () => bus.check() },
  });
  return {
    app,
    loops: [
      ...createRelay({ db, bus, owner: 'accounts', clock, log }),
      ...consumers.map((one) => one.loop),
      loginTriesLoop(db),
    ],
    start: () => consumers.forEach((one) => void one.start()),
  };
});
