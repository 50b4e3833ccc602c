import type { Engine } from '../clock.ts';
import { expireSession } from './checkout/checkout-sessions.ts';
import { finalizeInvoice } from './invoices/finalize-invoice.ts';
import type { Act } from './state/act.ts';
import type { StoredEvent, Tables } from './state/tables.ts';
import { advanceSubscription } from './subscriptions/advance-subscription.ts';
import { collectInvoice } from './subscriptions/collection.ts';
import type { Dispatcher } from './webhooks/dispatch.ts';

/** How long events can be read. */
const EVENT_SECONDS = 30 * 86_400;

interface EngineDeps {
  tables: Tables;
  dispatcher: Dispatcher;
  /** Starts an act caused by the passing of time at that instant. */
  begin(at: number): Act;
  flush(): Promise<void>;
}

/** Ends trials, finalizes and charges invoices and expires sessions as time passes. */
export function createEngine({ tables, dispatcher, begin, flush }: EngineDeps): Engine {
  return {
    name: 'stripe',
    nextAt: () => {
      const due = tables.nextDue();
      return due && new Date(due.at * 1000);
    },
    pending: () => dispatcher.unsent(),
    async runUntil(now) {
      const events: StoredEvent[] = [];
      let done = 0;
      try {
        for (let due = dueBy(tables, now); due; due = dueBy(tables, now)) {
          const act = begin(due.at);
          handlers[due.table](act, due.id);
          dispatcher.note(act.events);
          events.push(...act.events);
          done += 1;
          rejectStandstill(tables, due);
        }
      } finally {
        if (events.length > 0) {
          await flush();
          void dispatcher.send(events);
          pruneEvents(tables, Math.floor(now.getTime() / 1000) - EVENT_SECONDS);
        }
      }
      return done;
    },
  };
}

type Due = NonNullable<ReturnType<Tables['nextDue']>>;

function dueBy(tables: Tables, now: Date): Due | null {
  const due = tables.nextDue();
  return due && due.at * 1000 <= now.getTime() ? due : null;
}

const handlers: Record<Due['table'], (act: Act, id: string) => void> = {
  subscriptions: (act, id) => advanceSubscription(act, act.tables.subscriptions.get(id)),
  checkoutSessions: (act, id) => void expireSession(act, act.tables.checkoutSessions.get(id)),
  invoices: (act, id) => {
    const invoice = act.tables.invoices.get(id);
    const open = invoice.status === 'draft' ? finalizeInvoice(act, invoice) : invoice;
    if (open.status === 'open') collectInvoice(act, open, { planned: true });
  },
};

/** Throws on an object that is still due after it was handled, to prevent an endless loop. */
function rejectStandstill(tables: Tables, due: Due): void {
  const next = tables.nextDue();
  if (next && next.at === due.at && next.id === due.id && next.table === due.table) {
    throw new Error(`${due.table} ${due.id} is still due after it was handled`);
  }
}

function pruneEvents({ events }: Tables, before: number): void {
  for (const { object } of events.all()) {
    if (object.created >= before) return;
    events.remove(object.id);
  }
}
