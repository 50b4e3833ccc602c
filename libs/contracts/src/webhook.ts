import { type Static, Type } from 'typebox';
import { ErrorBody } from './error.ts';

export const Received = Type.Object({ received: Type.Literal(true) });

/** A webhook as the gateway received it, with the headers that sign its raw body. */
export const CollectedWebhook = Type.Object({
  request_id: Type.String(),
  traceparent: Type.Union([Type.String(), Type.Null()]),
  params: Type.Record(Type.String(), Type.String()),
  headers: Type.Record(Type.String(), Type.String()),
  base64: Type.String(),
});
export type CollectedWebhook = Static<typeof CollectedWebhook>;
export const WebhookSet = Type.Array(CollectedWebhook);

/** A response per webhook, in order. */
export const WebhookResponses = Type.Array(
  Type.Object({ status: Type.Integer(), body: Type.Union([Received, ErrorBody]) }),
);
export type WebhookResponses = Static<typeof WebhookResponses>;
