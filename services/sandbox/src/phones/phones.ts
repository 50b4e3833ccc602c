import { randomUUID } from 'node:crypto';
import type { SandboxDeps } from '../deps.ts';
import type { Collection } from '../store.ts';
import { eventOf } from '../telnyx/receipts.ts';
import { segmentsOf } from '../telnyx/segments.ts';
import type { Telnyx } from '../telnyx/telnyx.ts';
import { offsetIso, PROFILE_ID, type Text } from '../telnyx/texts.ts';

type Autoresponse = 'STOP' | 'START' | 'HELP';

const keywords: Record<string, Autoresponse> = {
  STOP: 'STOP',
  STOPALL: 'STOP',
  'STOP ALL': 'STOP',
  UNSUBSCRIBE: 'STOP',
  CANCEL: 'STOP',
  END: 'STOP',
  QUIT: 'STOP',
  START: 'START',
  UNSTOP: 'START',
  HELP: 'HELP',
};

/** Returns the keyword if it is the whole text, in any case, or null. */
function autoresponseOf(text: string): Autoresponse | null {
  return keywords[text.trim().toUpperCase()] ?? null;
}

/** The provider's own replies. HELP has none, so the product replies. */
const autoReplies: Record<'STOP' | 'START', string> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe.',
};

/** A text on a phone that is not the product's. */
export interface PhoneText {
  id: string;
  kind: 'inbound' | 'auto_reply';
  from: string;
  to: string;
  text: string;
  at: string;
  /** Whether its webhook is still to be delivered. */
  unsent?: boolean;
}

export interface Bubble {
  id: string;
  kind: 'outbound' | PhoneText['kind'];
  text: string;
  at: string;
  status: string | null;
}

export interface Received {
  id: string;
  autoresponse_type: Autoresponse | null;
  auto_reply: string | null;
}

export type Phones = ReturnType<typeof createPhones>;

export function createPhones(deps: SandboxDeps, telnyx: Telnyx) {
  const shown: Collection<PhoneText> = deps.store.collection('phone_texts');

  /** Blocks or unblocks a number and returns the provider's confirmation, or null if nothing changed. */
  function applyReply(keyword: Autoresponse | null, { from, to, text, at }: PhoneText) {
    if (keyword === null || keyword === 'HELP') return null;
    const blocked = telnyx.optOuts.get(from) !== undefined;
    if (keyword === 'STOP' ? blocked : !blocked) return null;
    if (keyword === 'STOP')
      telnyx.optOuts.put(from, { from, keyword: text.trim(), created_at: at });
    else telnyx.optOuts.delete(from);
    const reply = autoReplies[keyword];
    const id = randomUUID();
    shown.put(id, { id, kind: 'auto_reply', from: to, to: from, text: reply, at });
    return reply;
  }

  /** Sends the webhook of a received text, which is repeated after a restart until it is delivered. */
  async function notify(text: PhoneText): Promise<void> {
    const event = eventOf('message.received', inboundMessage(text), text.at);
    const delivered = await telnyx.webhooks.send(deps.config.TELNYX_WEBHOOK_URL, event, text.id);
    if (delivered !== null) shown.put(text.id, { ...text, unsent: false });
  }
  for (const text of [...shown.values()]) if (text.unsent) void notify(text);

  return {
    /** Receives a text from a person; the provider applies keywords first. Durable once it resolves. */
    receive: async (from: string, to: string, text: string): Promise<Received> => {
      const at = deps.clock.now().toISOString();
      const received = {
        id: randomUUID(),
        kind: 'inbound' as const,
        from,
        to,
        text,
        at,
        unsent: true,
      };
      const { id } = received;
      shown.put(id, received);
      const autoresponse_type = autoresponseOf(text);
      const auto_reply = applyReply(autoresponse_type, received);
      deps.counters.add('texts_received');
      void notify(received);
      await deps.store.flush();
      return { id, autoresponse_type, auto_reply };
    },
    conversation: (number: string): Bubble[] => {
      const own = telnyx.texts.byRecipient(number).map(bubbleOf);
      const others = [...shown.values()]
        .filter((text) => text.from === number || text.to === number)
        .map(({ id, kind, text, at }) => ({ id, kind, text, at, status: null }));
      return [...own, ...others].sort((one, other) => (one.at < other.at ? -1 : 1));
    },
    /** Returns every number with a conversation, the most recent first. */
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

function inboundMessage(text: PhoneText): Record<string, unknown> {
  const { encoding, parts } = segmentsOf(text.text);
  return {
    record_type: 'message',
    direction: 'inbound',
    id: text.id,
    type: 'SMS',
    messaging_profile_id: PROFILE_ID,
    autoresponse_type: autoresponseOf(text.text),
    from: { phone_number: text.from, carrier: 'T-Mobile USA', line_type: 'long_code' },
    to: [{ phone_number: text.to, status: 'webhook_delivered', carrier: 'Telnyx' }],
    text: text.text,
    media: [],
    encoding,
    parts,
    cost: { amount: '0.0000', currency: 'USD' },
    errors: [],
    received_at: offsetIso(text.at),
  };
}
