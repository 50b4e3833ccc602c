import type { ServerResponse } from 'node:http';
import type { SandboxClock } from '../clock.ts';

const HEARTBEAT_MS = 5_000;

/** Streams the clock's offset, immediately and on each change, as server-sent events. */
export function createClockStreams(clock: SandboxClock) {
  const open = new Set<ServerResponse>();
  const send = (response: ServerResponse, offsetMs: number) =>
    response.write(`event: clock\ndata: ${JSON.stringify({ offset_ms: offsetMs })}\n\n`);
  clock.onMove((offsetMs) => {
    for (const response of open) send(response, offsetMs);
  });
  const heartbeat = setInterval(() => {
    for (const response of open) response.write(': alive\n\n');
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    add(response: ServerResponse, onEnd: () => void): void {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        connection: 'keep-alive',
      });
      open.add(response);
      response.on('close', () => {
        open.delete(response);
        onEnd();
      });
      send(response, clock.offsetMs());
    },
    close(): void {
      clearInterval(heartbeat);
      for (const response of open) response.destroy();
    },
  };
}
