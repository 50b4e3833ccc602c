import { type Agent, request } from 'node:http';

export interface Response {
  status: number;
  body: string;
}

/** Sends one request over the agent's connections. Rejects if the connection fails. */
export function call(
  agent: Agent,
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const { method = 'GET', headers = {}, body = '' } = options;
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { agent, method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (incoming) => {
        let received = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (piece: string) => {
          received += piece;
        });
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: received }));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Runs `work` for 0 to `count - 1`, `width` at a time. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < count) {
        const index = next;
        next += 1;
        await work(index);
      }
    }),
  );
}

/** Returns the value below which this share of the values lies. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
