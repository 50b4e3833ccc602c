/** The services that publish events; each owns one stream with all of its subjects. */
export const eventOwners = ['accounts', 'billing', 'content', 'scheduler', 'sms'] as const;
export type EventOwner = (typeof eventOwners)[number];

/** Owners of the events each service consumes. Its NATS account reaches no other stream. */
export const consumedOwners: Record<EventOwner, readonly EventOwner[]> = {
  accounts: ['billing', 'content', 'scheduler', 'sms'],
  billing: ['accounts', 'scheduler', 'sms'],
  content: ['scheduler', 'sms'],
  scheduler: ['accounts', 'billing', 'content', 'sms'],
  sms: ['accounts', 'billing', 'scheduler'],
};

/**
 * Events that must not wait behind frequent ones. They have subjects of their own and a second consumer, so each
 * consuming service applies them by whichever is faster, once.
 */
export const urgentTypes: ReadonlySet<string> = new Set([
  'sms.recipient.opted_out',
  'sms.recipient.opted_in',
  'sms.recipient.number_changed',
  'sms.recipient.unreachable',
  'sms.consent.confirmed',
  'sms.setting.requested',
  'sms.code.not_texted',
]);

export const hasUrgent = (owner: EventOwner): boolean =>
  [...urgentTypes].some((type) => type.startsWith(`${owner}.`));

/** Returns the names of a service's consumers on an owner's stream: of all events, and of urgent ones. */
export const consumerNames = (owner: EventOwner, service: string): string[] =>
  hasUrgent(owner) ? [service, `${service}-urgent`] : [service];

/** Returns the services that consume the events of this one. */
export const consumersOf = (owner: EventOwner): EventOwner[] =>
  eventOwners.filter((service) => consumedOwners[service].includes(owner));
