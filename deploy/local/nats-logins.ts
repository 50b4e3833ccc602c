import { type EventOwner, eventOwners, natsPermissions } from '@daylift/events/access';
import type { Secrets } from './secrets.ts';

/** The `authorization` block of a NATS configuration: one user per service, which can publish its own events only. */
export function natsAuthorization(passwords: Secrets['nats_passwords']): string {
  const users = eventOwners.map((user) => {
    const { publish, subscribe } = natsPermissions(user);
    const permissions = { publish: { allow: publish }, subscribe: { allow: subscribe } };
    return JSON.stringify({ user, password: passwords[user], permissions });
  });
  return `authorization { users: [\n${users.join('\n')}\n] }\n`;
}

const ownerOf = (service: string): EventOwner | undefined =>
  service === 'sms-gateway' ? 'sms' : eventOwners.find((owner) => owner === service);

/** Returns the address with the login of a service; one that has a login already is kept. */
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
