import {
  consumedOwners,
  consumerNames,
  consumersOf,
  type EventOwner,
  eventOwners,
} from '@daylift/events/access';
import type { Secrets } from './secrets.ts';

const streamRequests = (owner: EventOwner): string[] =>
  ['STREAM.INFO', 'STREAM.MSG.GET'].map((request) => `${request}.${owner.toUpperCase()}`);
const nextRequest = 'CONSUMER.MSG.NEXT';
const consumerRequests = (owner: EventOwner, consumer: EventOwner): string[] =>
  consumerNames(owner, consumer).flatMap((name) =>
    ['CONSUMER.INFO', nextRequest].map((request) => `${request}.${owner.toUpperCase()}.${name}`),
  );
const acknowledgements = (owner: EventOwner, consumer: EventOwner): string[] =>
  consumerNames(owner, consumer).map((name) => `$JS.ACK.${owner.toUpperCase()}.${name}.>`);

/** Returns what an account exports to its consumers: reading its stream with their own consumer. */
function exportsOf(owner: EventOwner): object[] {
  const consumers = consumersOf(owner);
  return [
    ...streamRequests(owner).map((request) => ({
      service: `$JS.API.${request}`,
      accounts: consumers,
    })),
    ...consumers.flatMap((consumer) => [
      ...consumerRequests(owner, consumer).map((request) => ({
        service: `$JS.API.${request}`,
        accounts: [consumer],
        ...(request.startsWith(nextRequest) && { response_type: 'stream' }),
      })),
      ...acknowledgements(owner, consumer).map((service) => ({ service, accounts: [consumer] })),
    ]),
  ];
}

/** An account's own JetStream handles every `$JS.API` subject, so mappings redirect requests for other streams. */
function importsOf(consumer: EventOwner): { imports: object[]; mappings: Record<string, string> } {
  const requests = consumedOwners[consumer].flatMap((owner) =>
    [...streamRequests(owner), ...consumerRequests(owner, consumer)].map((request) => ({
      account: owner,
      subject: `$JS.API.${request}`,
      to: `imported.${owner}.${request}`,
    })),
  );
  return {
    imports: [
      ...requests.map(({ account, subject, to }) => ({ service: { account, subject }, to })),
      ...consumedOwners[consumer].flatMap((owner) =>
        acknowledgements(owner, consumer).map((subject) => ({
          service: { account: owner, subject },
        })),
      ),
    ],
    mappings: Object.fromEntries(requests.map(({ subject, to }) => [subject, to])),
  };
}

/** Returns the `accounts` block of the NATS configuration: per service, an account with its stream and login. */
export function natsAccounts(passwords: Secrets['nats_passwords']): string {
  const accounts = eventOwners.map((owner) => [
    owner,
    {
      jetstream: 'enabled',
      // A login must not answer the requests that its account exports; JetStream does.
      users: [{ user: owner, password: passwords[owner], permissions: { subscribe: '_INBOX.>' } }],
      exports: exportsOf(owner),
      ...importsOf(owner),
    },
  ]);
  return `accounts ${JSON.stringify(Object.fromEntries(accounts), null, 2)}\n`;
}

const ownerOf = (service: string): EventOwner | undefined =>
  service === 'sms-gateway' ? 'sms' : eventOwners.find((owner) => owner === service);

/** Returns the URL with a service's login. An existing login is kept. */
export function natsUrlOf(
  address: string,
  passwords: Secrets['nats_passwords'],
  service: string,
): string {
  const owner = ownerOf(service);
  const [scheme, host] = address.split('://');
  if (owner === undefined || host === undefined || host.includes('@')) return address;
  return `${scheme}://${owner}:${passwords[owner]}@${host}`;
}
