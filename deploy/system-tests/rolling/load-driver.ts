import { Agent, request } from 'node:http';

export interface LoadRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string | undefined;
  body?: unknown;
}

export interface LoadReport {
  requests: number;
  perSecond: number;
  p50: number;
  p95: number;
  p99: number;
  longest: number;
  /** Responses other than 2xx, in words. */
  failures: string[];
}

export interface Load {
  /** Stops starting requests, and waits for those in progress. */
  stop: () => Promise<LoadReport>;
}

const tickMs = 5;
const patienceMs = 30_000;

/** Starts requests at a fixed rate, however long responses take. Never retries: a dropped connection is a failure. */
export function startLoad(options: {
  url: string;
  perSecond: number;
  /** Returns the nth request, from 0. */
  next: (index: number) => LoadRequest;
}): Load {
  // In turn, as with many users, so no connection idles out.
  const agent = new Agent({ keepAlive: true, scheduling: 'fifo' });
  const failures: string[] = [];
  const durationsMs: number[] = [];
  const underWay = new Set<Promise<void>>();
  const startedMs = performance.now();
  let started = 0;

  const run = async (one: LoadRequest): Promise<void> => {
    const sentMs = performance.now();
    const seconds = () => ((performance.now() - startedMs) / 1000).toFixed(1);
    try {
      const { status, text } = await send(options.url, one, agent);
      if (status < 200 || status >= 300)
        failures.push(`${seconds()} s: ${one.method} ${one.path}: ${status} ${text.slice(0, 200)}`);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      failures.push(`${seconds()} s: ${one.method} ${one.path}: ${code ?? ''} ${message}`);
    }
    durationsMs.push(performance.now() - sentMs);
  };

  const ticker = setInterval(() => {
    const wanted = ((performance.now() - startedMs) / 1000) * options.perSecond;
    for (; started < wanted; started += 1) {
      const running = run(options.next(started)).finally(() => underWay.delete(running));
      underWay.add(running);
    }
  }, tickMs);

  return {
    async stop() {
      clearInterval(ticker);
      const seconds = (performance.now() - startedMs) / 1000;
      await Promise.all(underWay);
      agent.destroy();
      const sorted = durationsMs.toSorted((a, b) => a - b);
      const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);
      return {
        requests: started,
        perSecond: Math.round(started / seconds),
        p50: at(0.5),
        p95: at(0.95),
        p99: at(0.99),
        longest: at(1),
        failures,
      };
    },
  };
}

function send(
  url: string,
  { method, path, token, body }: LoadRequest,
  agent: Agent,
): Promise<{ status: number; text: string }> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${path}`, {
      method,
      agent,
      timeout: patienceMs,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(payload),
        }),
      },
    });
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error(`no response in ${patienceMs} ms`)));
    outgoing.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.once('error', reject);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(payload);
  });
}
