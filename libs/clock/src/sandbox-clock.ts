import { setTimeout as delay } from 'node:timers/promises';
import { createTravellingClock, type TravellingClock } from './clock.ts';

/** The sandbox responds from memory, so a slower server isn't the sandbox. */
const responseTimeoutMs = 2_000;

/** Waits for the sandbox and adopts its offset. Every process does so before it reads the time. */
export async function connectSandboxClock(
  sandboxUrl: string,
  signal: AbortSignal,
): Promise<TravellingClock> {
  for (;;) {
    try {
      // The connection may have been accepted by something that never responds, such as an unfinished cluster network.
      const response = await fetch(`${sandboxUrl}/sandbox/clock`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(responseTimeoutMs)]),
      });
      if (!response.ok) throw new Error(`clock responded with ${response.status}`);
      const body = (await response.json()) as { offset_ms: number };
      return createTravellingClock(body.offset_ms);
    } catch (error) {
      if (signal.aborted) throw error;
      await delay(200, undefined, { signal });
    }
  }
}

interface Registration {
  sandboxUrl: string;
  process: string;
  /** Owner of its database. Defaults to the process name. */
  service?: string | undefined;
  /** Where the sandbox posts `{offset_ms, outside}` and waits until this process has nothing left to do. */
  settleUrl: string;
  clock: TravellingClock;
  signal: AbortSignal;
}

/** Keeps a stream open to the sandbox. It shows that this process is alive and delivers each new offset. */
export async function followSandboxClock({
  sandboxUrl,
  process,
  service = process,
  settleUrl,
  clock,
  signal,
}: Registration): Promise<void> {
  const query = new URLSearchParams({ process, service, settle_url: settleUrl });
  while (!signal.aborted) {
    try {
      const response = await fetch(`${sandboxUrl}/sandbox/clock/stream?${query}`, { signal });
      if (!response.ok || response.body === null)
        throw new Error(`clock stream responded with ${response.status}`);
      await readOffsets(response.body, clock);
    } catch {
      // While the sandbox restarts, the clock continues with the last offset.
    }
    if (!signal.aborted) await delay(200, undefined, { signal }).catch(() => undefined);
  }
}

async function readOffsets(
  body: ReadableStream<Uint8Array>,
  clock: TravellingClock,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined)
        clock.adopt((JSON.parse(data.slice(6)) as { offset_ms: number }).offset_ms);
    }
  }
}
