/** The services that publish events; each owns one stream with all of its subjects. */
export const eventOwners = ['accounts', 'billing', 'content', 'scheduler', 'sms'] as const;
export type EventOwner = (typeof eventOwners)[number];

/** Whose events each service consumes. Its NATS account reaches no other stream. */
export const consumedOwners: Record<EventOwner, readonly EventOwner[]> = {
  accounts: ['billing', 'content', 'scheduler', 'sms'],
  billing: ['accounts', 'sms'],
  content: ['scheduler', 'sms'],
  scheduler: ['accounts', 'billing', 'content', 'sms'],
  sms: ['accounts', 'billing', 'scheduler'],
};

/** Returns the services that consume the events of this one. */
export const consumersOf = (owner: EventOwner): EventOwner[] =>
  eventOwners.filter((service) => consumedOwners[service].includes(owner));
