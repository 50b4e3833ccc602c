import type { FastifyInstance, FastifyReply } from 'fastify';
import { StripeApiError } from '../api/stripe-error.ts';
import { taxedPlaces } from '../invoices/tax.ts';
import type { Stripe } from '../open-stripe.ts';
import { type CardForm, emptyForm, readCard, withError } from '../pages/card-form.ts';
import { html } from '../pages/html.ts';
import { acceptForms, type PageForm, sendNote, sendPage } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';
import { checkoutBody } from './checkout-page.ts';
import { completeCheckout, successUrl } from './complete-checkout.ts';

/** The hosted payment page. */
export function registerCheckoutPages(app: FastifyInstance, stripe: Stripe): void {
  app.register(async (scope) => {
    acceptForms(scope);
    scope.route<{ Params: { id: string }; Body: PageForm | undefined }>({
      method: ['GET', 'POST'],
      url: '/c/pay/:id',
      handler: async ({ body, method, params }, reply) => {
        const act = await stripe.begin(null);
        const session = stripe.tables.checkoutSessions.find(params.id);
        if (session?.status !== 'open') return sendOver(reply, session);
        if (method === 'GET') return sendForm(reply, 200, act, session);
        const { card, name, seen } = readCard(body ?? {});
        const { email = '' } = seen.values;
        const place = taxedPlaces.find((one) => one === body?.place) ?? taxedPlaces[0]!;
        if (!session.customer_details?.email && !/^[^\s@]+@[^\s@]+$/.test(email)) {
          seen.errors.email = 'Please enter an email address.';
        }
        if (!card || seen.errors.email) return sendForm(reply, 400, act, session, seen);
        const result = await completeCheckout(stripe, act, session, { card, name, email, place });
        if (!(result instanceof StripeApiError)) return reply.redirect(successUrl(result), 303);
        const form = withError(seen, result);
        return sendForm(reply, result.statusCode, act, session, form, result.message);
      },
    });
  });
}

function sendForm(
  reply: FastifyReply,
  status: number,
  act: Act,
  session: CheckoutSession,
  form: CardForm = emptyForm,
  refusal: string | null = null,
): FastifyReply {
  return sendPage(reply, status, 'Checkout', checkoutBody(act, session, form, refusal));
}

function sendOver(reply: FastifyReply, session: CheckoutSession | undefined): FastifyReply {
  if (!session) {
    return sendNote(reply, 404, 'Nothing here', 'There is no checkout at this address.');
  }
  if (session.status === 'complete') {
    const link = html`<p><a class="button" href="${successUrl(session)}">Continue</a></p>`;
    return sendNote(reply, 200, 'You’re all done here', 'This purchase is already complete.', link);
  }
  const link =
    session.cancel_url && html`<p><a class="button" href="${session.cancel_url}">Go back</a></p>`;
  const text = 'Please go back and start again; nothing was charged.';
  return sendNote(reply, 410, 'This checkout has expired', text, link || null);
}
