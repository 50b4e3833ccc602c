import type { FastifyInstance, FastifyReply } from 'fastify';
import { refused, StripeApiError } from '../api/stripe-error.ts';
import type { Stripe } from '../open-stripe.ts';
import { emptyForm, readCard, withError } from '../pages/card-form.ts';
import { acceptForms, type PageForm, sendNote, sendPage } from '../pages/page.ts';
import { attachMethod, createCardMethod, setCustomerDefault } from '../payments/payment-methods.ts';
import { recordSetup } from '../payments/setup-intents.ts';
import type { Act } from '../state/act.ts';
import type { PortalSession } from '../state/objects.ts';
import { collectInvoice, collectionError } from '../subscriptions/collection.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import { amendSubscription } from '../subscriptions/subscriptions.ts';
import { planEndInPortal, undoPlannedEnd } from '../subscriptions/update-subscription.ts';
import { invoiceBody, type PortalView, portalBody, runningSubscriptions } from './portal-page.ts';

const RIBBON = 'Sandbox billing portal – no real money';
/** How long a link to the portal works. */
const OPEN_SECONDS = 86_400;

interface PortalRequest {
  Params: { id: string };
  Body: PageForm | undefined;
  Querystring: { done?: string };
}

const NOTICES: Record<string, string> = {
  update_card: 'Your card has been saved.',
  cancel: 'Your plan will not renew.',
  renew: 'Your plan will renew.',
  pay: 'Thank you, the invoice is paid.',
};

/** The customer's own billing pages. */
export function registerPortalPages(app: FastifyInstance, stripe: Stripe): void {
  app.register(async (scope) => {
    acceptForms(scope);

    scope.get<PortalRequest>('/p/session/:id', async (request, reply) => {
      const act = await stripe.begin(null);
      const session = openSession(act, request.params.id);
      if (!session) return sendGone(reply);
      const notice = NOTICES[request.query.done ?? ''] ?? null;
      return sendPortal(reply, 200, act, session, { notice });
    });

    scope.post<PortalRequest>('/p/session/:id', async (request, reply) => {
      const act = await stripe.begin(null);
      const session = openSession(act, request.params.id);
      if (!session) return sendGone(reply);
      return change(stripe, act, session, request.body ?? {}, reply);
    });

    scope.get<PortalRequest>('/i/:id', async (request, reply) => {
      const invoice = stripe.tables.invoices.find(request.params.id);
      if (!invoice?.number)
        return sendNote(reply, 404, 'Nothing here', 'There is no invoice at this address.');
      const title = `Invoice ${invoice.number}`;
      return sendPage(reply, 200, { title, ribbon: RIBBON, body: invoiceBody(invoice) });
    });
  });
}

function openSession(act: Act, id: string): PortalSession | undefined {
  const session = act.tables.portalSessions.find(id);
  return session && act.at - session.created < OPEN_SECONDS ? session : undefined;
}

async function change(
  stripe: Stripe,
  act: Act,
  session: PortalSession,
  form: PageForm,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { action = '', object = '' } = form;
  const { card, name, seen } = readCard(form);
  let refusal: StripeApiError | null = null;
  try {
    if (action !== 'update_card') applyAction(act, session, action, object);
    else if (card) saveCard(act, session, card, name);
    else return sendPortal(reply, 400, act, session, { form: seen });
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    refusal = error;
  }
  await stripe.commit(act);
  void stripe.send(act.events);
  if (refusal === null) return reply.redirect(afterwards(session, action), 303);
  const shown = { form: withError(seen, refusal), refusal: refusal.message };
  return sendPortal(reply, refusal.statusCode, act, session, shown);
}

function afterwards({ flow, id }: PortalSession, action: string): string {
  const isDone =
    (flow?.type === 'payment_method_update' && action === 'update_card') ||
    (flow?.type === 'subscription_cancel' && action === 'cancel');
  const redirect = isDone ? flow.after_completion.redirect?.return_url : undefined;
  return redirect ?? `/p/session/${id}?done=${action}`;
}

/** Saves a new card as the default of the customer and of every running plan. */
function saveCard(
  act: Act,
  session: PortalSession,
  card: Parameters<typeof createCardMethod>[1],
  name: string,
): void {
  const customer = act.tables.customers.get(session.customer);
  const method = createCardMethod(act, card, { email: customer.email, name });
  const attached = attachMethod(act, method, customer.id);
  recordSetup(act, customer.id, attached.id);
  setCustomerDefault(act, customer, attached.id);
  for (const subscription of runningSubscriptions(act, customer.id)) {
    amendSubscription(act, subscription, { default_payment_method: attached.id });
  }
}

function applyAction(act: Act, session: PortalSession, action: string, object: string): void {
  const { features } = act.tables.portalConfigurations.get(session.configuration);
  if (action === 'pay') {
    const invoice = act.tables.invoices.find(object);
    if (invoice?.customer !== session.customer) throw refused('There is no such invoice.');
    const collection = collectInvoice(act, invoice, { planned: false, present: true });
    if (collection.invoice.status !== 'paid') throw collectionError(collection);
    return;
  }
  const subscription = runningSubscriptions(act, session.customer).find(({ id }) => id === object);
  if (!subscription) throw refused('There is no such plan.');
  const { enabled, mode } = features.subscription_cancel;
  if (action === 'renew') undoPlannedEnd(act, subscription);
  else if (action !== 'cancel' || !enabled) throw refused('The portal does not offer this.');
  else if (mode === 'at_period_end') planEndInPortal(act, subscription);
  else endSubscription(act, subscription, 'cancellation_requested');
}

function sendPortal(
  reply: FastifyReply,
  status: number,
  act: Act,
  session: PortalSession,
  shown: Partial<PortalView>,
): FastifyReply {
  const body = portalBody(act, {
    session,
    customer: act.tables.customers.get(session.customer),
    features: act.tables.portalConfigurations.get(session.configuration).features,
    form: emptyForm,
    refusal: null,
    notice: null,
    ...shown,
  });
  return sendPage(reply, status, { title: 'Billing', ribbon: RIBBON, body });
}

function sendGone(reply: FastifyReply): FastifyReply {
  const text = 'Please open your billing page from the shop again.';
  return sendNote(reply, 410, 'This link has expired', text);
}
