import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Stripe } from '../open-stripe.ts';
import type { Act } from '../state/act.ts';
import type { Dispute } from '../state/objects.ts';
import { nextStatuses, openDispute, settleDispute } from './disputes.ts';

const Opening = Type.Object(
  {
    charge: Type.String({ maxLength: 100 }),
    reason: Type.String({ maxLength: 100, default: 'fraudulent' }),
    /** A question of the bank, before money is withdrawn. */
    inquiry: Type.Boolean({ default: false }),
  },
  { additionalProperties: false },
);
const Settlement = Type.Object(
  { status: Type.Enum([...nextStatuses]) },
  { additionalProperties: false },
);

/** Does what banks do with a charge: disputes it, and decides. */
export function registerDisputeControl(app: FastifyInstance, stripe: Stripe): void {
  const inAct = async (run: (act: Act) => Dispute): Promise<Dispute> => {
    const act = await stripe.begin(null);
    const dispute = run(act);
    await stripe.commit(act);
    void stripe.send(act.events);
    return dispute;
  };
  app.post<{ Body: Static<typeof Opening> }>(
    '/sandbox/disputes',
    { schema: { body: Opening } },
    ({ body }) =>
      inAct((act) => openDispute(act, act.tables.charges.refer(body.charge, 'charge'), body)),
  );
  app.post<{ Params: { id: string }; Body: Static<typeof Settlement> }>(
    '/sandbox/disputes/:id',
    { schema: { body: Settlement } },
    ({ params, body }) =>
      inAct((act) => settleDispute(act, act.tables.disputes.get(params.id), body.status)),
  );
}
