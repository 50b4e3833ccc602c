import { createError } from '@daylift/server/error';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { SandboxDeps } from '../../deps.ts';
import { StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { readExpiry } from '../pages/card-form.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';
import { confirmCheckout, submitCheckout } from './complete-checkout.ts';
import { handOver, successUrl } from './hand-over.ts';

const NoSuchSession = createError('NO_SUCH_SESSION', 'There is no checkout session %s.', 404);
const SessionNotOpen = createError('SESSION_NOT_OPEN', 'This checkout session is %s already.', 409);
const NotAnExpiry = createError('NOT_AN_EXPIRY', '"expiry" must look like 12/34.', 400);

const Completion = Type.Object(
  {
    card: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    expiry: Type.Optional(Type.String({ maxLength: 9 })),
    cvc: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Only where the session does not know it. */
    email: Type.Optional(Type.String({ maxLength: 254 })),
    /** What the buyer tells a bank that asks; default yes. */
    confirm: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
type Completion = Static<typeof Completion>;

/** Does what the checkout page does, for programs. */
export function registerCheckoutControl(
  app: FastifyInstance,
  deps: SandboxDeps,
  stripe: Stripe,
): void {
  app.post<{ Params: { session_id: string }; Body: Completion }>(
    '/sandbox/checkout/:session_id/complete',
    {
      schema: { body: Completion },
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, reply) => {
      const act = await stripe.begin(null);
      const session = stripe.tables.checkoutSessions.find(request.params.session_id);
      if (!session) throw new NoSuchSession(request.params.session_id);
      if (session.status !== 'open') throw new SessionNotOpen(session.status ?? 'over');
      try {
        const done = complete(act, session, request.body);
        await handOver(stripe, deps, act);
        return {
          status: done.status,
          payment_status: done.payment_status,
          subscription: done.subscription,
          redirect_url: successUrl(done),
        };
      } catch (error) {
        if (!(error instanceof StripeApiError)) throw error;
        await stripe.commit(act);
        void stripe.send(act.events);
        const { code, decline_code = null } = error.fields;
        return reply.code(error.statusCode).send({
          status: 'open',
          detail: error.message,
          code,
          decline_code,
          request_id: request.id,
        });
      }
    },
  );
}

function complete(act: Act, session: CheckoutSession, body: Completion): CheckoutSession {
  const expiry = readExpiry(body.expiry ?? '12/68');
  if (!expiry) throw new NotAnExpiry();
  const submitted = submitCheckout(act, session, {
    card: { number: body.card ?? '4242424242424242', cvc: body.cvc ?? '123', ...expiry },
    name: body.name ?? 'Sandbox Buyer',
    email: body.email ?? 'buyer@example.com',
  });
  return submitted.status === 'complete'
    ? submitted.session
    : confirmCheckout(act, submitted.session, body.confirm ?? true);
}
