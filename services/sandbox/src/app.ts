import { createServer, type Server } from '@daylift/server/create-server';
import { registerHealth } from '@daylift/server/health';
import { registerMetrics } from '@daylift/server/metrics';
import type { SandboxDeps } from './deps.ts';
import { registerFaultDials } from './fault-dials/fault-dials.routes.ts';
import { registerFront } from './front/front.routes.ts';
import { registerMail } from './mail/mail.ts';
import { registerPhones } from './phones/phones.routes.ts';
import { createPhones } from './phones/phones.ts';
import { registerStripe } from './stripe/stripe.routes.ts';
import { registerTelnyx } from './telnyx/telnyx.routes.ts';
import { openTelnyx } from './telnyx/telnyx.ts';
import { registerTimeTravel } from './time-travel/time-travel.routes.ts';

/** Builds the sandbox: two providers, phones, mail, the clock and the dials. */
export async function buildApp(deps: SandboxDeps): Promise<Server> {
  const app = createServer({
    name: 'sandbox',
    logLevel: deps.config.LOG_LEVEL,
    readiness: { store: () => deps.store.flush() },
  });
  // The sandbox is never public, so these need no separate port.
  registerHealth(app);
  registerMetrics(app);
  const telnyx = openTelnyx(deps);
  registerTelnyx(app, deps, telnyx);
  await registerStripe(app, deps);
  registerPhones(app, deps, telnyx, createPhones(deps, telnyx));
  registerMail(app, deps);
  registerTimeTravel(app, deps);
  registerFaultDials(app, deps);
  registerFront(app);
  return app;
}
