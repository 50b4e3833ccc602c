import { Type } from 'typebox';

export const Received = Type.Object({ received: Type.Literal(true) });
