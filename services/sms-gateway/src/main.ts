import { joinEvents } from '@daylift/events/join-events';
import { createMailLoop } from '@daylift/mail/mail';
import { runProcess } from '@daylift/server/run-process';
import { buildApp } from './app.ts';
import { loadServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { gatewayLoops } from './loops.ts';
import { createTelnyxWhenNeeded } from './provider/telnyx-when-needed.ts';
import { subscriptions } from './subscriptions.ts';

const config = loadServiceConfig();

await runProcess('sms-gateway', config, async (process) => {
  const { clock, log, onStop } = process;
  const { deps, readiness } = createDeps(config, {
    name: 'sms-gateway',
    clock,
    log,
    onStop,
    openProvider: createTelnyxWhenNeeded,
  });
  const { db } = deps;
  const joined = await joinEvents(process, {
    owner: 'sms',
    db,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    natsReplicas: config.NATS_REPLICAS,
  });
  const events = joined.consume(subscriptions(deps));
  const mail = createMailLoop({
    db,
    clock,
    log,
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
  });
  onStop(() => mail.close());
  const app = await buildApp(deps, { ...readiness, events: () => joined.check() });
  return {
    app,
    loops: [...events.loops, ...gatewayLoops(deps), mail],
    start: events.start,
    // A manual queue run ends after the calls already in progress.
    stop: async () => deps.limiter.closeLine(),
  };
});
