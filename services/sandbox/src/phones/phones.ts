import { randomUUID } from 'node:crypto';
import type { SandboxDeps } from '../deps.ts';
import type { Collection } from '../store.ts';
import { type Autoresponse, autoReplies, autoresponseOf } from '../telnyx/opt-outs.ts';
import { eventOf } from '../telnyx/receipts.ts';
import { segmentsOf } from '../telnyx/segments.ts';
import { PROFILE_ID } from '../telnyx/send-message.ts';
import type { Telnyx } from '../telnyx/telnyx.ts';
import { offsetIso, type Text } from '../telnyx/texts.ts';

/** A text on a phone that is not the product's. */
export interface PhoneText {
  id: string;
  kind: 'inbound' | 'auto_reply';
  from: string;
  to: string;
  text: string;
  at: string;
}

export interface Bubble {
  id: string;
  kind: 'outbound' | PhoneText['kind'];
  text: string;
  at: string;
  status: string | null;
}

export interface Phones {
  /** Receives a text from a person; the provider applies keywords first. Durable once it resolves. */
  receive(from: string, to: string, text: string): Promise<Received>;
  conversation(number: string): Bubble[];
  /** Returns every number with a conversation, the most recent first. */
  list(): { number: string; last_at: string; last_text: string; blocked: boolean }[];
}

export interface Received {
  id: string;
  autoresponse_type: Autoresponse | null;
  auto_reply: string | null;
}

export function createPhones(deps: SandboxDeps, telnyx: Telnyx): Phones {
  const shown: Collection<PhoneText> = deps.store.collection('phone_texts');

  /** Blocks or unblocks a number and returns the provider's confirmation, or null if nothing changed. */
  function applyReply(
    keyword: Autoresponse | null,
    from: string,
    to: string,
    text: string,
    at: string,
  ) {
    if (keyword === null || keyword === 'HELP') return null;
    const blocked = telnyx.optOuts.get(from) !== undefined;
    if (keyword === 'STOP' ? blocked : !blocked) return null;
    if (keyword === 'STOP') {
      const messaging_profile_id = PROFILE_ID;
      telnyx.optOuts.put(from, {
        from,
        to,
        keyword: text.trim(),
        created_at: at,
        messaging_profile_id,
      });
    } else telnyx.optOuts.delete(from);
    const reply = autoReplies[keyword];
    const id = randomUUID();
    shown.put(id, { id, kind: 'auto_reply', from: to, to: from, text: reply, at });
    return reply;
  }

  return {
    receive: async (from, to, text) => {
      const at = deps.clock.now().toISOString();
      const id = randomUUID();
      const autoresponse_type = autoresponseOf(text);
      shown.put(id, { id, kind: 'inbound', from, to, text, at });
      const auto_reply = applyReply(autoresponse_type, from, to, text, at);
      deps.counters.add('texts_received');
      void telnyx.webhooks.send(
        deps.config.TELNYX_WEBHOOK_URL,
        eventOf(
          'message.received',
          inboundMessage({ id, from, to, text, at, autoresponse_type }),
          at,
        ),
        { label: 'message.received', group: id },
      );
      await deps.store.flush();
      return { id, autoresponse_type, auto_reply };
    },
    conversation: (number) => {
      const own = telnyx.texts.byRecipient(number).map(bubbleOf);
      const others = [...shown.values()]
        .filter((text) => text.from === number || text.to === number)
        .map(({ id, kind, text, at }) => ({ id, kind, text, at, status: null }));
      return [...own, ...others].sort((one, other) => (one.at < other.at ? -1 : 1));
    },
    list: () => {
      const latest = new Map<string, { at: string; text: string }>();
      const see = (number: string, at: string, text: string) => {
        const known = latest.get(number);
        if (known === undefined || known.at <= at) latest.set(number, { at, text });
      };
      for (const text of telnyx.texts.all()) see(text.to, text.accepted_at, text.text);
      for (const one of shown.values())
        see(one.kind === 'inbound' ? one.from : one.to, one.at, one.text);
      return [...latest]
        .map(([number, { at, text }]) => ({
          number,
          last_at: at,
          last_text: text,
          blocked: telnyx.optOuts.get(number) !== undefined,
        }))
        .sort((one, other) => (one.last_at > other.last_at ? -1 : 1));
    },
  };
}

function bubbleOf(text: Text): Bubble {
  return {
    id: text.id,
    kind: 'outbound',
    text: text.text,
    at: text.accepted_at,
    status: text.status,
  };
}

function inboundMessage(
  text: Omit<PhoneText, 'kind'> & { autoresponse_type: Autoresponse | null },
): Record<string, unknown> {
  const { encoding, parts } = segmentsOf(text.text);
  return {
    record_type: 'message',
    direction: 'inbound',
    id: text.id,
    type: 'SMS',
    messaging_profile_id: PROFILE_ID,
    autoresponse_type: text.autoresponse_type,
    from: { phone_number: text.from, carrier: 'T-Mobile USA', line_type: 'long_code' },
    to: [
      {
        phone_number: text.to,
        status: 'webhook_delivered',
        carrier: 'Telnyx',
        line_type: 'Wireless',
      },
    ],
    cc: [],
    text: text.text,
    media: [],
    encoding,
    parts,
    cost: { amount: '0.0000', currency: 'USD' },
    errors: [],
    received_at: offsetIso(text.at),
    sent_at: null,
    completed_at: null,
    tags: [],
  };
}
