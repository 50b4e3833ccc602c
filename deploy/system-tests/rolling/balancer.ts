import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  url: string;
  add: (port: number) => void;
  /** Excludes a replica from new connections; existing ones stay. */
  remove: (port: number) => void;
  close: () => Promise<void>;
}

/**
 * Behaves like a Kubernetes Service: each new connection goes to the next replica and stays there, even if the replica
 * is removed. It isn't aware of requests.
 */
export async function startBalancer(): Promise<Balancer> {
  let replicas: number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    turn += 1;
    const port = replicas[turn % replicas.length];
    if (port === undefined) client.resetAndDestroy();
    else join(client, connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true }));
  });

  function join(client: Socket, replica: Socket): void {
    for (const [from, to] of [
      [client, replica],
      [replica, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.once('error', () => to.resetAndDestroy());
      from.once('close', () => open.delete(from));
    }
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (port) => {
      replicas = [...replicas, port];
    },
    remove: (port) => {
      replicas = replicas.filter((one) => one !== port);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
