import { setTimeout as delay } from 'node:timers/promises';
import { createTravellingClock, type TravellingClock } from './clock.ts';

/** It answers from memory; whoever takes longer is somebody else. */
const answerMs = 2_000;

/** Waits for the sandbox and takes its offset; every process does so before it looks at the time once. */
export async function connectSandboxClock(
  sandboxUrl: string,
  signal: AbortSignal,
): Promise<TravellingClock> {
  for (;;) {
    try {
      // A connection may have been taken by somebody who never answers, such as a cluster's network that is not set up yet.
      const answer = await fetch(`${sandboxUrl}/sandbox/clock`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      });
      if (!answer.ok) throw new Error(`clock answered ${answer.status}`);
      const body = (await answer.json()) as { offset_ms: number };
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
  /** Where the sandbox posts `{offset_ms}` and waits until this process has nothing left to do. */
  settleUrl: string;
  clock: TravellingClock;
  signal: AbortSignal;
}

/** Keeps one stream open to the sandbox: it tells the sandbox that this process lives, and brings each new offset. */
export async function followSandboxClock({
  sandboxUrl,
  process,
  settleUrl,
  clock,
  signal,
}: Registration): Promise<void> {
  const query = new URLSearchParams({ process, settle_url: settleUrl });
  while (!signal.aborted) {
    try {
      const answer = await fetch(`${sandboxUrl}/sandbox/clock/stream?${query}`, { signal });
      if (!answer.ok || answer.body === null)
        throw new Error(`clock stream answered ${answer.status}`);
      await readOffsets(answer.body, clock);
    } catch {
      // The sandbox restarts like any other process; the clock runs on with the last offset meanwhile.
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
