import type { FastifyInstance, FastifyReply } from 'fastify';
import { refused, StripeApiError } from '../api/stripe-error.ts';
import { detailValues, saveDetails } from '../customers/billing-details.ts';
import type { Stripe } from '../open-stripe.ts';
import { emptyForm, readCard, withError } from '../pages/card-form.ts';
import { acceptForms, type PageForm, sendNote, sendPage } from '../pages/page.ts';
import { attachMethod, createCardMethod, setCustomerDefault } from '../payments/payment-methods.ts';
import type { Act } from '../state/act.ts';
import type { PortalSession } from '../state/objects.ts';
import { collectInvoice, collectionError } from '../subscriptions/collection.ts';
import { amendSubscription } from '../subscriptions/subscriptions.ts';
import { type PortalView, portalBody, runningSubscriptions } from './portal-page.ts';

/** How long a link to the portal works. */
const OPEN_SECONDS = 86_400;

interface PortalRequest {
  Params: { id: string };
  Body: PageForm | undefined;
  Querystring: { done?: string };
}

const NOTICES: Record<string, string> = {
  update_card: 'Your card has been saved.',
  pay: 'Thank you, the invoice is paid.',
  update_details: 'Your billing information has been saved.',
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
    if (action === 'pay') payInvoice(act, session, object);
    else if (action === 'update_details') updateDetails(act, session, form);
    else if (card) saveCard(act, session, card, name);
    else return sendPortal(reply, 400, act, session, { form: seen });
  } catch (error) {
    if (!(error instanceof StripeApiError)) throw error;
    refusal = error;
  }
  await stripe.commit(act);
  void stripe.send(act.events);
  if (refusal === null) return reply.redirect(`/p/session/${session.id}?done=${action}`, 303);
  const shown =
    action === 'update_details'
      ? { details: withError({ values: form, errors: {} }, refusal) }
      : { form: withError(seen, refusal), refusal: refusal.message };
  return sendPortal(reply, refusal.statusCode, act, session, shown);
}

function updateDetails(act: Act, session: PortalSession, form: PageForm): void {
  const { features } = act.tables.portalConfigurations.get(session.configuration);
  if (!features.customer_update.enabled) throw refused('Billing information is not editable.');
  saveDetails(act, act.tables.customers.get(session.customer), form);
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
  setCustomerDefault(act, customer, attached.id);
  for (const subscription of runningSubscriptions(act, customer.id)) {
    amendSubscription(act, subscription, { default_payment_method: attached.id });
  }
}

function payInvoice(act: Act, session: PortalSession, id: string): void {
  const invoice = act.tables.invoices.find(id);
  if (invoice?.customer !== session.customer) throw refused('There is no such invoice.');
  const collection = collectInvoice(act, invoice, { planned: false, present: true });
  if (collection.invoice.status !== 'paid') throw collectionError(collection);
}

function sendPortal(
  reply: FastifyReply,
  status: number,
  act: Act,
  session: PortalSession,
  shown: Partial<PortalView>,
): FastifyReply {
  const customer = act.tables.customers.get(session.customer);
  const body = portalBody(act, {
    session,
    customer,
    features: act.tables.portalConfigurations.get(session.configuration).features,
    form: emptyForm,
    details: { values: detailValues(act.tables, customer), errors: {} },
    refusal: null,
    notice: null,
    ...shown,
  });
  return sendPage(reply, status, 'Billing', body);
}

function sendGone(reply: FastifyReply): FastifyReply {
  const text = 'Please open your billing page from the shop again.';
  return sendNote(reply, 410, 'This link has expired', text);
}
