import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkFixedPort, chooseFreePorts, isListening } from './ports.ts';

async function occupy(host: string): Promise<number> {
  const [port = 0] = await chooseFreePorts(1);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return port;
}

test.each(['127.0.0.1', '0.0.0.0', '::'])(
  'a port in use on %s is reported with its number and variable',
  async (host) => {
    const port = await occupy(host);
    await expect(checkFixedPort(port, 'sandbox', 'SANDBOX_PORT')).rejects.toThrow(
      `Port ${port} for the sandbox is taken by another program. Choose another one: SANDBOX_PORT=${port + 1000} npm start`,
    );
  },
);

test.each([10_080, 6_000, 5_061])(
  'port %i, which browsers block, is rejected immediately',
  async (port) => {
    await expect(checkFixedPort(port, 'product', 'PORT')).rejects.toThrow(
      `Port ${port} for the product is blocked by browsers. Choose another one: PORT=${port + 1000} npm start`,
    );
  },
);

test('free ports are distinct, free, and below the range of outgoing connections', async () => {
  const ports = await chooseFreePorts(12);
  expect(new Set(ports).size).toBe(12);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  for (const port of ports) expect(await isListening(port)).toBe(false);
});

test('processes that choose ports concurrently never get the same one', async () => {
  const script = `
    const { chooseFreePorts } = await import('./ports.ts');
    console.log(JSON.stringify(await chooseFreePorts(20)));
    process.stdin.resume();`;
  const rivals = Array.from({ length: 4 }, () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    return child;
  });
  const lists = await Promise.all(
    rivals.map(
      async ({ stdout }) => JSON.parse(String((await once(stdout, 'data'))[0])) as number[],
    ),
  );
  const all = [...lists.flat(), ...(await chooseFreePorts(20))];
  expect(new Set(all).size).toBe(100);
});
