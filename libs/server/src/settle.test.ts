import { createTravellingClock } from '@daylift/clock/clock';
import { afterEach, expect, test } from 'vitest';
import { createServer, type Server } from './create-server.ts';
import { registerSettle } from './run-process.ts';

let app: Server;
afterEach(() => app.close());

test('a call that names no offset moves no clock and is the error of who sends it', async () => {
  app = await createServer({ name: 'test', logLevel: 'silent', readiness: {} });
  const clock = createTravellingClock(0);
  const settled = { busy: 0, work: 0, next_at: null };
  registerSettle(app, clock, { settle: async () => settled });
  const post = (payload?: object) =>
    app.inject({ method: 'POST', url: '/internal/settle', ...(payload && { payload }) });
  for (const payload of [undefined, {}, { offset_ms: 'x' }, { offset_ms: 1e300 }])
    expect((await post(payload)).statusCode).toBe(400);
  expect(clock.now().getTime() - Date.now()).toBeLessThan(1_000);
  const answer = await post({ offset_ms: 3_600_000 });
  expect([answer.statusCode, answer.json()]).toEqual([200, settled]);
  expect(clock.now().getTime() - Date.now()).toBeGreaterThan(3_590_000);
});
