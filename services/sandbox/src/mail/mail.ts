import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Server } from '@daylift/server/create-server';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { Type } from 'typebox';
import type { SandboxDeps } from '../deps.ts';
import type { Collection } from '../store.ts';

export interface Email {
  id: string;
  /** The envelope's recipients, lower-cased and separated by ", ". */
  to: string;
  from: string;
  from_name: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string | null;
  received_at: string;
}

/** Keeps every mail and delivers none. A mail acknowledged with 250 is on disk. */
export async function startMailServer(deps: SandboxDeps) {
  const emails = openEmails(deps);
  const server = new SMTPServer({
    // A client that is offered STARTTLS uses it, and no certificate here would be trusted.
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    disableReverseLookup: true,
    // Clients keep their connections.
    closeTimeout: 100,
    onData: (stream, session, done) => {
      keep(deps, emails, stream, session).then(
        () => done(),
        (error: Error) => done(error),
      );
    },
  });
  // Ignore clients that disconnect in the middle of a mail.
  server.on('error', () => undefined);
  const { SMTP_PORT, HOST } = deps.config;
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(SMTP_PORT, HOST, () => resolve());
  });
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const openEmails = (deps: SandboxDeps): Collection<Email> => deps.store.collection('emails');

async function keep(
  { clock, counters, store }: SandboxDeps,
  emails: Collection<Email>,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const mail = await PostalMime.parse(await buffer(stream));
  const id = randomUUID();
  emails.put(id, {
    id,
    to: session.envelope.rcptTo.map(({ address }) => address.toLowerCase()).join(', '),
    from: mail.from?.address ?? (session.envelope.mailFrom || { address: '' }).address,
    from_name: mail.from?.name ?? '',
    reply_to: mail.replyTo?.[0]?.address ?? null,
    subject: mail.subject ?? '',
    text: mail.text ?? '',
    html: mail.html ?? null,
    received_at: clock.now().toISOString(),
  });
  counters.add('emails');
  await store.flush();
}

/** Lists every mail, oldest first. */
export function registerMail(app: Server, deps: SandboxDeps): void {
  const emails = openEmails(deps);
  const Query = Type.Object({
    to: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
  });
  app.get('/sandbox/emails', { schema: { querystring: Query } }, async (request) => {
    const { to, limit } = request.query;
    // An unencoded + in an address arrives as a space.
    const wanted = to?.toLowerCase().replaceAll(' ', '+');
    const found = [...emails.values()].filter(
      (email) => wanted === undefined || email.to.split(', ').includes(wanted),
    );
    return limit === undefined ? found : found.slice(-limit);
  });
}
