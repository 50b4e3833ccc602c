import { Type } from 'typebox';

/** The response to a provider's webhook. */
export const Received = Type.Object({ received: Type.Literal(true) });
