import { createError } from '@daylift/server/error';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { readExpiry } from '../pages/card-form.ts';
import { confirmCheckout, handOver, submitCheckout, successUrl } from './complete-checkout.ts';

const NoSuchSession = createError('NO_SUCH_SESSION', 'There is no checkout session %s.', 404);
const SessionNotOpen = createError('SESSION_NOT_OPEN', 'This checkout session is %s already.', 409);
const NotAnExpiry = createError('NOT_AN_EXPIRY', '"expiry" must look like 12/34.', 400);

const Completion = Type.Object(
  {
    card: Type.Optional(Type.String({ minLength: 1, maxLength: 40 })),
    expiry: Type.Optional(Type.String({ maxLength: 9 })),
    cvc: Type.Optional(Type.String({ pattern: '^[0-9]{3,4}$' })),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    /** Only used if the session has none. */
    email: Type.Optional(Type.String({ maxLength: 254 })),
    /** The buyer's answer if the bank asks for confirmation; default true. */
    confirm: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

/** Does what the checkout page does, for programs. */
export function registerCheckoutControl(app: FastifyInstance, stripe: Stripe): void {
  app.post<{ Params: { session_id: string }; Body: Static<typeof Completion> }>(
    '/sandbox/checkout/:session_id/complete',
    {
      schema: { body: Completion },
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, reply) => {
      const { card, expiry = '12/68', cvc = '123', name, email, confirm } = request.body;
      const act = await stripe.begin(null);
      const session = stripe.tables.checkoutSessions.find(request.params.session_id);
      if (!session) throw new NoSuchSession(request.params.session_id);
      if (session.status !== 'open') throw new SessionNotOpen(session.status ?? 'over');
      const until = readExpiry(expiry);
      if (!until) throw new NotAnExpiry();
      try {
        const submitted = submitCheckout(act, session, {
          card: { number: card ?? '4242424242424242', cvc, ...until },
          name: name ?? 'Sandbox Buyer',
          email: email ?? 'buyer@example.com',
        });
        const done =
          submitted.status === 'complete'
            ? submitted
            : confirmCheckout(act, submitted, confirm ?? true);
        await handOver(stripe, act);
        const { status, payment_status, subscription } = done;
        return { status, payment_status, subscription, redirect_url: successUrl(done) };
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
