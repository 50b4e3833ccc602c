import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { eventually } from '@daylift/testing/eventually';
import { requiredUrl, uniquePrefix } from '@daylift/testing/servers';
import { expect, test } from 'vitest';
import { createQueues } from './queues.ts';

const refusal = "-READONLY You can't write against a read only replica.\r\n";

test('after a failover, jobs reach the new primary although the former one keeps its connection', async () => {
  const redis = new URL(requiredUrl('TEST_REDIS_URL'));
  const sockets: Socket[] = [];
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const isFormer = connections === 1;
    const upstream = connect(Number(redis.port), redis.hostname);
    sockets.push(client, upstream);
    upstream.pipe(client);
    let rejects = false;
    client.on('data', (chunk) => {
      const writes = chunk.toString('latin1').match(/\r\n(hset|eval|evalsha)\r\n/gi) ?? [];
      rejects ||= isFormer && writes.length > 0;
      if (rejects) client.write(refusal.repeat(writes.length));
      else upstream.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const queues = createQueues({
    redisUrl: Object.assign(new URL(redis), { host: `127.0.0.1:${port}` }).href,
    name: `${uniquePrefix()}sms`,
    onError: () => undefined,
  });
  const add = () =>
    queues.add([{ ids: ['a'], isUrgent: false }]).then(
      () => true,
      () => false,
    );
  await eventually(add);
  expect(connections).toBe(2);
  expect(await queues.counts()).toEqual({ waiting: 1, active: 0 });
  await queues.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});
