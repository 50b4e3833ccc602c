import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FormBranch } from '../api/form.ts';
import { refused, StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { type CardForm, emptyForm, FIELD_OF_CODE, readCard } from '../pages/card-form.ts';
import { acceptForms } from '../pages/forms.ts';
import { sendNote, sendPage } from '../pages/page.ts';
import { attachMethod, createCardMethod, setCustomerDefault } from '../payments/payment-methods.ts';
import { recordSetup } from '../payments/setup-intents.ts';
import type { Act } from '../state/act.ts';
import type { Invoice, PortalSession, Subscription } from '../state/objects.ts';
import { collectInvoice, collectionError } from '../subscriptions/collection.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { amendSubscription } from '../subscriptions/subscriptions.ts';
import { planEndInPortal } from '../subscriptions/update-subscription.ts';
import { invoiceBody, type PortalView, portalBody, runningSubscriptions } from './portal-page.ts';

const RIBBON = 'Sandbox billing portal – no real money';
/** Links are meant to be followed at once. */
const OPEN_SECONDS = 86_400;

interface ById {
  Params: { id: string };
}

/** The customer's own billing pages. */
export function registerPortalPages(app: FastifyInstance, stripe: Stripe): void {
  app.register(async (scope) => {
    acceptForms(scope);

    scope.get<ById & { Querystring: { done?: string } }>(
      '/p/session/:id',
      async (request, reply) => {
        const act = await stripe.begin(null);
        const session = openSession(act, request.params.id);
        if (!session) return sendGone(reply);
        const notice = NOTICES[request.query.done ?? ''] ?? null;
        return sendPortal(reply, 200, act, session, { notice });
      },
    );

    scope.post<ById & { Body: FormBranch }>('/p/session/:id', async (request, reply) => {
      const act = await stripe.begin(null);
      const session = openSession(act, request.params.id);
      if (!session) return sendGone(reply);
      return change(stripe, act, session, request.body ?? {}, reply);
    });

    scope.get<ById>('/i/:id', async (request, reply) => {
      const invoice = stripe.tables.invoices.find(request.params.id);
      if (!invoice?.number)
        return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
      const title = `Invoice ${invoice.number}`;
      return sendPage(reply, 200, { title, ribbon: RIBBON, body: invoiceBody(invoice) });
    });
  });
}

const NOTICES: Record<string, string> = {
  update_card: 'Your card has been saved.',
  cancel: 'Your plan will not renew.',
  renew: 'Your plan goes on.',
  pay: 'Thank you, the invoice is paid.',
};

function openSession(act: Act, id: string): PortalSession | undefined {
  const session = act.tables.portalSessions.find(id);
  return session && act.at - session.created < OPEN_SECONDS ? session : undefined;
}

async function change(
  stripe: Stripe,
  act: Act,
  session: PortalSession,
  form: FormBranch,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const action = String(form.action ?? '');
  const { card, name, seen } = readCard(form);
  if (action === 'update_card' && !card)
    return sendPortal(reply, 400, act, session, { form: seen });
  try {
    if (action === 'update_card') saveCard(act, session, card!, name);
    else applyAction(act, session, action, String(form.object ?? ''));
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    await settle(stripe, act);
    const field = FIELD_OF_CODE[error.fields.code ?? ''];
    const errors = field ? { [field]: error.message } : {};
    const refusal = error.message;
    return sendPortal(reply, error.statusCode, act, session, {
      form: { ...seen, errors },
      refusal,
    });
  }
  await settle(stripe, act);
  return reply.redirect(afterwards(session, action), 303);
}

async function settle(stripe: Stripe, act: Act): Promise<void> {
  await stripe.commit(act);
  void stripe.send(act.events);
}

function afterwards(session: PortalSession, action: string): string {
  const flow = session.flow;
  const done =
    (flow?.type === 'payment_method_update' && action === 'update_card') ||
    (flow?.type === 'subscription_cancel' && action === 'cancel');
  const redirect = done ? flow?.after_completion.redirect?.return_url : undefined;
  return redirect ?? `/p/session/${session.id}?done=${action}`;
}

/** A new card becomes the customer's default and that of every plan still running. */
function saveCard(
  act: Act,
  session: PortalSession,
  card: Parameters<typeof createCardMethod>[1],
  name: string,
): void {
  const customer = act.tables.customers.find(session.customer)!;
  const method = createCardMethod(act, card, { email: customer.email, name });
  const attached = attachMethod(act, method, customer.id);
  recordSetup(act, customer.id, attached.id);
  setCustomerDefault(act, act.tables.customers.find(customer.id)!, attached.id);
  for (const subscription of runningSubscriptions(act, customer.id)) {
    amendSubscription(act, subscription, { default_payment_method: attached.id });
  }
}

function applyAction(act: Act, session: PortalSession, action: string, object: string): void {
  const { features } = act.tables.portalConfigurations.find(session.configuration)!;
  if (action === 'pay') {
    const collection = collectInvoice(act, ownInvoice(act, session, object), {
      planned: false,
      present: true,
    });
    if (collection.invoice.status !== 'paid') throw collectionError(collection);
    return;
  }
  const subscription = ownSubscription(act, session, object);
  if (action === 'renew') {
    amendSubscription(act, subscription, {
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at: null,
      cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    });
    return;
  }
  if (action !== 'cancel' || !features.subscription_cancel.enabled) {
    throw refused('The portal does not offer this.');
  }
  if (features.subscription_cancel.mode === 'immediately') {
    endSubscription(act, subscription, 'cancellation_requested');
  } else planEndInPortal(act, subscription);
}

function ownInvoice(act: Act, session: PortalSession, id: string): Invoice {
  const invoice = act.tables.invoices.find(id);
  if (invoice?.customer !== session.customer) throw refused('There is no such invoice.');
  return invoice;
}

function ownSubscription(act: Act, session: PortalSession, id: string): Subscription {
  const found = runningSubscriptions(act, session.customer).find((each) => each.id === id);
  if (!found) throw refused('There is no such plan.');
  return found;
}

function sendPortal(
  reply: FastifyReply,
  status: number,
  act: Act,
  session: PortalSession,
  shown: { form?: CardForm; refusal?: string; notice?: string | null },
): FastifyReply {
  const view: PortalView = {
    session,
    customer: act.tables.customers.find(session.customer)!,
    features: act.tables.portalConfigurations.find(session.configuration)!.features,
    form: shown.form ?? emptyForm,
    refusal: shown.refusal ?? null,
    notice: shown.notice ?? null,
  };
  return sendPage(reply, status, { title: 'Billing', ribbon: RIBBON, body: portalBody(act, view) });
}

function sendGone(reply: FastifyReply): FastifyReply {
  return sendNote(
    reply,
    410,
    'This link has expired',
    'Please open your billing page from the shop again.',
  );
}
