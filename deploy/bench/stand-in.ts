import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { createReceiptSender, type SentText } from './signed-receipts.ts';

/** A provider that accepts every text. Other paths go to the sandbox, which owns the clock and the payments. */
export interface StandIn {
  url: string;
  /** Wall-clock milliseconds at which each text arrived, in order. */
  arrivals: number[];
  texts: SentText[];
  receipts: { acknowledged: number; refused: number };
  latencyMs: number;
  sendsReceipts: boolean;
  /** The product's time, for receipts. */
  now(): Date;
  clear(): void;
  close(): Promise<void>;
}

const RECEIPT_ATTEMPTS = 5;
const RETRY_MS = 500;

export async function startStandIn(sandboxPort: number): Promise<StandIn & { setKey: SetKey }> {
  let receipts: ReturnType<typeof createReceiptSender> | undefined;
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST' && incoming.url === '/v2/messages') {
      void accept(incoming, outgoing);
    } else forward(sandboxPort, incoming, outgoing);
  });
  const standIn: StandIn & { setKey: SetKey } = {
    url: '',
    arrivals: [],
    texts: [],
    receipts: { acknowledged: 0, refused: 0 },
    latencyMs: 0,
    sendsReceipts: false,
    now: () => new Date(),
    setKey: (privateKey) => {
      receipts = createReceiptSender({ privateKey, now: () => standIn.now() });
    },
    clear: () => {
      standIn.arrivals = [];
      standIn.texts = [];
      standIn.receipts = { acknowledged: 0, refused: 0 };
    },
    close: () =>
      new Promise((resolve) => {
        receipts?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function accept(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const arrivedAt = performance.now();
    const body = JSON.parse(await readText(incoming)) as Omit<SentText, 'id'>;
    const text = { ...body, id: randomUUID() };
    standIn.arrivals.push(arrivedAt);
    standIn.texts.push(text);
    if (standIn.latencyMs > 0) await delay(standIn.latencyMs);
    outgoing.setHeader('content-type', 'application/json');
    outgoing.end(JSON.stringify({ data: messageOf(text) }));
    if (!standIn.sendsReceipts) return;
    await deliver(text, 'message.sent');
    await deliver(text, 'message.finalized');
  }

  async function deliver(text: SentText, type: 'message.sent' | 'message.finalized') {
    for (let attempt = 0; attempt < RECEIPT_ATTEMPTS; attempt += 1) {
      const response = await receipts?.post(text, type).catch(() => undefined);
      if (response?.status === 200) {
        standIn.receipts.acknowledged += 1;
        return;
      }
      standIn.receipts.refused += 1;
      await delay(RETRY_MS);
    }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return standIn;
}

type SetKey = (privateKey: string) => void;

/** Pipes both bodies, because the clock is an endless stream. */
function forward(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    outgoing.flushHeaders();
    response.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  outgoing.on('close', () => forwarded.destroy());
  incoming.pipe(forwarded);
}

function messageOf(text: SentText) {
  return {
    record_type: 'message',
    direction: 'outbound',
    id: text.id,
    type: 'SMS',
    from: { phone_number: text.from },
    to: [{ phone_number: text.to, status: 'queued' }],
    text: text.text,
    encoding: 'GSM-7',
    parts: 1,
    cost: null,
    errors: [],
    webhook_url: text.webhook_url,
  };
}
