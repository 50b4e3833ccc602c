import type { FastifyInstance, FastifyReply } from 'fastify';
import { StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { type CardForm, emptyForm, readCard, withError } from '../pages/card-form.ts';
import { html } from '../pages/html.ts';
import { acceptForms, type PageForm, sendNote, sendPage } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';
import { checkoutBody, confirmBody } from './checkout-page.ts';
import { confirmCheckout, handOver, submitCheckout, successUrl } from './complete-checkout.ts';

const RIBBON = 'Sandbox checkout – no real money';

interface Visit {
  act: Act;
  session: CheckoutSession;
  form: PageForm;
  reply: FastifyReply;
}

/** The hosted payment page. */
export function registerCheckoutPages(app: FastifyInstance, stripe: Stripe): void {
  app.register(async (scope) => {
    acceptForms(scope);
    const route = (
      method: 'GET' | 'POST',
      url: string,
      handler: (visit: Visit) => FastifyReply | Promise<FastifyReply>,
    ) =>
      scope.route<{ Params: { id: string }; Body: PageForm | undefined }>({
        method,
        url,
        handler: async (request, reply) => {
          const act = await stripe.begin(null);
          const session = stripe.tables.checkoutSessions.find(request.params.id);
          if (session?.status !== 'open') return sendOver(reply, session);
          return handler({ act, session, form: request.body ?? {}, reply });
        },
      });

    route('GET', '/c/pay/:id', (visit) => sendForm(visit, 200, emptyForm, null));
    route('POST', '/c/pay/:id', (visit) => submit(stripe, visit));
    route('GET', '/c/pay/:id/confirm', ({ act, session, reply }) => {
      const { pending_payment_method } = act.tables.checkoutSessions.hidden(session.id);
      if (pending_payment_method === null) return reply.redirect(`/c/pay/${session.id}`, 303);
      const title = 'Confirm with your bank';
      return sendPage(reply, 200, { title, ribbon: RIBBON, body: confirmBody(session) });
    });
    route('POST', '/c/pay/:id/confirm', (visit) =>
      finish(stripe, visit, emptyForm, () =>
        confirmCheckout(visit.act, visit.session, visit.form.answer === 'confirm'),
      ),
    );
  });
}

async function submit(stripe: Stripe, visit: Visit): Promise<FastifyReply> {
  const { act, session } = visit;
  const { card, name, seen } = readCard(visit.form);
  const email = seen.values.email ?? '';
  if (!session.customer_details?.email && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    seen.errors.email = 'Please enter an email address.';
  }
  if (!card || seen.errors.email) return sendForm(visit, 400, seen, null);
  return finish(stripe, visit, seen, () =>
    submitCheckout(act, session, { card, name, email: email || null }),
  );
}

/** Runs a step of the purchase. The page shows a refused card, and the session stays open. */
async function finish(
  stripe: Stripe,
  visit: Visit,
  form: CardForm,
  step: () => CheckoutSession,
): Promise<FastifyReply> {
  const { act, reply } = visit;
  try {
    const session = step();
    if (session.status === 'complete') {
      await handOver(stripe, act);
      return reply.redirect(successUrl(session), 303);
    }
    await stripe.commit(act);
    return reply.redirect(`/c/pay/${session.id}/confirm`, 303);
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    await stripe.commit(act);
    void stripe.send(act.events);
    return sendForm(visit, error.statusCode, withError(form, error), error.message);
  }
}

function sendForm(
  { act, session, reply }: Visit,
  status: number,
  form: CardForm,
  refusal: string | null,
): FastifyReply {
  const body = checkoutBody(act, session, form, refusal);
  return sendPage(reply, status, { title: 'Checkout', ribbon: RIBBON, body });
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
