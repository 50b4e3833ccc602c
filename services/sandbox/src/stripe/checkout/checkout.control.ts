import { createError } from '@daylift/server/error';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { readExpiry } from '../pages/card-form.ts';
import { completeCheckout, successUrl } from './complete-checkout.ts';

const NoSuchSession = createError('NO_SUCH_SESSION', 'Checkout session %s not found.', 404);
const SessionNotOpen = createError('SESSION_NOT_OPEN', 'This checkout session is already %s.', 409);
const NotAnExpiry = createError('NOT_AN_EXPIRY', '"expiry" must look like 12/34.', 400);

const Completion = Type.Object(
  {
    card: Type.String({ minLength: 1, maxLength: 40, default: '4242424242424242' }),
    expiry: Type.String({ maxLength: 9, default: '12/68' }),
    cvc: Type.String({ pattern: '^[0-9]{3,4}$', default: '123' }),
    name: Type.String({ minLength: 1, maxLength: 200, default: 'Sandbox Buyer' }),
    /** Only used if the session has none. */
    email: Type.String({ maxLength: 254, default: 'buyer@example.com' }),
    /** Country and state of the billing address, used if the session is taxed. */
    place: Type.String({ pattern: '^[A-Z]{2}(-[A-Z]{2})?$', default: 'US-CA' }),
  },
  { additionalProperties: false },
);

/** Completes checkouts like the checkout page, for programs. */
export function registerCheckoutControl(app: FastifyInstance, stripe: Stripe): void {
  app.post<{ Params: { session_id: string }; Body: Static<typeof Completion> }>(
    '/sandbox/checkout/:session_id/complete',
    {
      schema: { body: Completion },
      preValidation: async (request) => {
        request.body ??= {} as Static<typeof Completion>;
      },
    },
    async (request, reply) => {
      const { card: number, expiry, cvc, name, email, place } = request.body;
      const act = await stripe.begin(null);
      const session = stripe.tables.checkoutSessions.find(request.params.session_id);
      if (!session) throw new NoSuchSession(request.params.session_id);
      if (session.status !== 'open') throw new SessionNotOpen(session.status ?? 'over');
      const until = readExpiry(expiry);
      if (!until) throw new NotAnExpiry();
      const card = { number, cvc, ...until };
      const result = await completeCheckout(stripe, act, session, { card, name, email, place });
      if (result instanceof StripeApiError) {
        const { code, decline_code = null } = result.fields;
        return reply.code(result.statusCode).send({
          status: 'open',
          detail: result.message,
          code,
          decline_code,
          request_id: request.id,
        });
      }
      const { status, payment_status, subscription } = result;
      return { status, payment_status, subscription, redirect_url: successUrl(result) };
    },
  );
}
