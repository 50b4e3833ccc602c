import type { FastifyInstance, FastifyReply } from 'fastify';
import type { SandboxDeps } from '../../deps.ts';
import type { FormBranch } from '../api/form.ts';
import { StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { type CardForm, emptyForm, FIELD_OF_CODE, readCard } from '../pages/card-form.ts';
import { acceptForms } from '../pages/forms.ts';
import { html } from '../pages/html.ts';
import { sendNote, sendPage } from '../pages/page.ts';
import type { Act } from '../state/act.ts';
import type { CheckoutSession } from '../state/objects.ts';
import { CHECKOUT_RIBBON, checkoutBody, confirmBody } from './checkout-page.ts';
import { confirmCheckout, submitCheckout } from './complete-checkout.ts';
import { handOver, successUrl } from './hand-over.ts';

interface ById {
  Params: { id: string };
}

/** The hosted page on which a buyer leaves a card. */
export function registerCheckoutPages(
  app: FastifyInstance,
  deps: SandboxDeps,
  stripe: Stripe,
): void {
  app.register(async (scope) => {
    acceptForms(scope);

    scope.get<ById>('/c/pay/:id', async (request, reply) => {
      const { act, session } = await visit(stripe, request.params.id);
      if (session?.status !== 'open') return sendOver(reply, session);
      return sendForm(reply, 200, act, session, emptyForm, null);
    });

    scope.post<ById & { Body: FormBranch }>('/c/pay/:id', async (request, reply) => {
      const { act, session } = await visit(stripe, request.params.id);
      if (session?.status !== 'open') return sendOver(reply, session);
      return submit(deps, stripe, act, session, request.body ?? {}, reply);
    });

    scope.get<ById>('/c/pay/:id/confirm', async (request, reply) => {
      const { act, session } = await visit(stripe, request.params.id);
      if (session?.status !== 'open') return sendOver(reply, session);
      const waiting = act.tables.checkoutSessions.hidden(session.id).pending_payment_method;
      if (waiting === null) return reply.redirect(`/c/pay/${session.id}`, 303);
      return sendPage(reply, 200, {
        title: 'Confirm with your bank',
        ribbon: CHECKOUT_RIBBON,
        body: confirmBody(session),
      });
    });

    scope.post<ById & { Body: FormBranch }>('/c/pay/:id/confirm', async (request, reply) => {
      const { act, session } = await visit(stripe, request.params.id);
      if (session?.status !== 'open') return sendOver(reply, session);
      try {
        const done = confirmCheckout(act, session, request.body?.answer === 'confirm');
        return await finish(deps, stripe, act, done, reply);
      } catch (error) {
        return refuse(stripe, act, session, emptyForm, error, reply);
      }
    });
  });
}

async function visit(stripe: Stripe, id: string) {
  const act = await stripe.begin(null);
  return { act, session: stripe.tables.checkoutSessions.find(id) };
}

async function submit(
  deps: SandboxDeps,
  stripe: Stripe,
  act: Act,
  session: CheckoutSession,
  form: FormBranch,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { card, name, seen } = readCard(form);
  const email = seen.values.email ?? '';
  const asksEmail = !session.customer_details?.email;
  if (asksEmail && !/^[^\s@]+@[^\s@]+$/.test(email)) {
    seen.errors.email = 'Please enter an email address.';
  }
  if (!card || seen.errors.email) return sendForm(reply, 400, act, session, seen, null);
  try {
    const result = submitCheckout(act, session, { card, name, email: email || null });
    if (result.status === 'complete') return await finish(deps, stripe, act, result.session, reply);
    await stripe.commit(act);
    return reply.redirect(`/c/pay/${session.id}/confirm`, 303);
  } catch (error) {
    return refuse(stripe, act, session, seen, error, reply);
  }
}

async function finish(
  deps: SandboxDeps,
  stripe: Stripe,
  act: Act,
  session: CheckoutSession,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await handOver(stripe, deps, act);
  return reply.redirect(successUrl(session), 303);
}

/** A refused card is told on the page, and the session stays open. */
async function refuse(
  stripe: Stripe,
  act: Act,
  session: CheckoutSession,
  form: CardForm,
  error: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (!(error instanceof StripeApiError)) throw error;
  await stripe.commit(act);
  void stripe.send(act.events);
  const field = FIELD_OF_CODE[error.fields.code ?? ''];
  const seen = field ? { ...form, errors: { ...form.errors, [field]: error.message } } : form;
  return sendForm(reply, error.statusCode, act, session, seen, error.message);
}

function sendForm(
  reply: FastifyReply,
  status: number,
  act: Act,
  session: CheckoutSession,
  form: CardForm,
  refusal: string | null,
): FastifyReply {
  return sendPage(reply, status, {
    title: 'Checkout',
    ribbon: CHECKOUT_RIBBON,
    body: checkoutBody(act, session, form, refusal),
  });
}

/** What a visitor finds where nothing can be paid any more. */
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
  return sendNote(
    reply,
    410,
    'This checkout has expired',
    'Please go back and start again; nothing was charged.',
    link || null,
  );
}
