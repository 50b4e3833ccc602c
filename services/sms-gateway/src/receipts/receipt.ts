import { isValid } from '@daylift/contracts/is-valid';
import { type Static, Type } from 'typebox';
import type { InboundText } from '../inbound/inbound.actions.ts';
import { type ProviderMessage, readMessage } from '../provider/provider-message.ts';
import type { ProvenState } from '../texts/text-states.ts';

const short = Type.String({ minLength: 1, maxLength: 200 });
const moment = Type.String({ format: 'date-time' });
const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const number = Type.Object({ phone_number: Type.String({ maxLength: 40 }) });

/** The part of an event that we read. Validated after its signature, because a signed event can still be malformed. */
const ProviderEvent = Type.Object({
  data: Type.Object({
    id: short,
    event_type: short,
    occurred_at: moment,
    payload: Type.Object({
      id: short,
      to: Type.Optional(Type.Array(number)),
      from: Type.Optional(number),
      text: Type.Optional(nullable(Type.String())),
      autoresponse_type: Type.Optional(nullable(Type.String())),
      received_at: Type.Optional(nullable(moment)),
    }),
  }),
});
export type ProviderEvent = Static<typeof ProviderEvent>['data'];

export function readEvent(body: unknown): ProviderEvent | null {
  return isValid(ProviderEvent, body) ? body.data : null;
}

/** What a receipt or a lookup proves about a text. */
export interface Evidence {
  provider_id: string;
  state: ProvenState;
  /** The provider will report nothing further. */
  is_final: boolean;
  status: string;
  error_code: string | null;
  parts: number | null;
  cost: string | null;
  currency: string | null;
}

/** Returns null for events that aren't about the delivery of a text. */
export function evidenceOfEvent(event: ProviderEvent): Evidence | null {
  if (event.event_type !== 'message.sent' && event.event_type !== 'message.finalized') return null;
  const message = readMessage(event.payload);
  if (message === null) return null;
  return evidenceOf({ ...message, is_final: event.event_type === 'message.finalized' });
}

/** An undocumented status is final only if Telnyx says that the message is. */
export function evidenceOf(message: ProviderMessage): Evidence {
  return { ...message, state: stateOf(message), cost: message.is_final ? message.cost : null };
}

function stateOf({ status, is_final, error_code }: ProviderMessage): ProvenState {
  switch (status) {
    case 'delivered':
    case 'read':
      return 'delivered';
    case 'delivery_failed':
    case 'sending_failed':
    case 'expired':
    case 'failed':
      return 'failed';
    case 'sent':
    // It was sent, and no carrier reported the outcome.
    case 'delivery_unconfirmed':
    case 'dlr_timeout':
    case 'gw_timeout':
      return 'sent';
    default:
      return is_final ? (error_code === null ? 'sent' : 'failed') : 'accepted';
  }
}

/** Parses a message from a person; null without text or sender, such as a picture alone. */
export function inboundOf(event: ProviderEvent): InboundText | null {
  if (event.event_type !== 'message.received') return null;
  const { id, from, to, text, autoresponse_type, received_at } = event.payload;
  if (from === undefined || !text) return null;
  return {
    id,
    from: from.phone_number,
    to: to?.[0]?.phone_number ?? null,
    // Postgres can't store NUL.
    text: text.replaceAll('\u0000', '').slice(0, 2_000),
    autoresponse: autoresponse_type ?? null,
    received_at: new Date(received_at ?? event.occurred_at),
  };
}
