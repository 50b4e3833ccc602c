import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

interface ReceivedMail {
  to: string;
  /** Raw headers and body. */
  text: string;
}

/** How the server handles a mail: accepts it, rejects it, or accepts it and drops the connection without a response. */
export type SmtpBehavior = 'accept' | 'reject' | 'accept and drop';

export interface SmtpServer {
  received: ReceivedMail[];
  behavior: SmtpBehavior;
  /** How many clients have connected. */
  connections: number;
  listen(port?: number): Promise<number>;
  close(): Promise<void>;
}

/** A minimal SMTP server. */
export function createSmtpServer(): SmtpServer {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    self.connections += 1;
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    void serve(socket, self);
  });
  const self: SmtpServer = {
    received: [],
    behavior: 'accept',
    connections: 0,
    async listen(port = 0) {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
  return self;
}

async function serve(socket: Socket, server: SmtpServer): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to = '';
  let text: string[] | null = null;
  say('220 test');
  for await (const line of createInterface({ input: socket })) {
    if (text !== null && line !== '.') {
      text.push(line);
    } else if (text !== null) {
      if (server.behavior !== 'reject') server.received.push({ to, text: text.join('\n') });
      text = null;
      if (server.behavior === 'accept and drop') return void socket.destroy();
      say(server.behavior === 'accept' ? '250 accepted' : `451 not now for ${to}`);
    } else if (line.startsWith('RCPT TO:')) {
      to = /<(.*)>/.exec(line)?.[1] ?? '';
      say('250 ok');
    } else if (line === 'DATA') {
      text = [];
      say('354 go on');
    } else if (line === 'QUIT') {
      socket.end('221 bye\r\n');
    } else {
      say('250 ok');
    }
  }
}
