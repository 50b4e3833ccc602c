/** The services that publish events; each owns one stream with all of its subjects. */
export const eventOwners = ['accounts', 'billing', 'content', 'scheduler', 'sms'] as const;
export type EventOwner = (typeof eventOwners)[number];

/** Whose events each service consumes. Its NATS login opens no other stream. */
export const consumedOwners: Record<EventOwner, readonly EventOwner[]> = {
  accounts: ['billing', 'content', 'scheduler', 'sms'],
  billing: ['accounts', 'sms'],
  content: ['scheduler', 'sms'],
  scheduler: ['accounts', 'billing', 'content', 'sms'],
  sms: ['accounts', 'billing', 'scheduler'],
};

/** Returns the NATS subjects that the login of a service may publish to and subscribe to. */
export function natsPermissions(owner: EventOwner): { publish: string[]; subscribe: string[] } {
  const own = owner.toUpperCase();
  const consuming = consumedOwners[owner].flatMap((other) => {
    const stream = other.toUpperCase();
    return [
      `$JS.API.STREAM.INFO.${stream}`,
      `$JS.API.STREAM.MSG.GET.${stream}`,
      `$JS.API.CONSUMER.CREATE.${stream}.${owner}`,
      `$JS.API.CONSUMER.INFO.${stream}.${owner}`,
      `$JS.API.CONSUMER.MSG.NEXT.${stream}.${owner}`,
      `$JS.ACK.${stream}.${owner}.>`,
    ];
  });
  return {
    publish: [
      `events.${owner}.>`,
      `$JS.API.STREAM.INFO.${own}`,
      `$JS.API.STREAM.CREATE.${own}`,
      `$JS.API.STREAM.UPDATE.${own}`,
      `$JS.API.STREAM.MSG.GET.${own}`,
      // The erasure of deleted users reads the stream with a consumer that has no name.
      `$JS.API.STREAM.MSG.DELETE.${own}`,
      `$JS.API.CONSUMER.CREATE.${own}`,
      `$JS.API.CONSUMER.INFO.${own}.*`,
      `$JS.API.CONSUMER.MSG.NEXT.${own}.*`,
      `$JS.API.CONSUMER.DELETE.${own}.*`,
      ...consuming,
    ],
    subscribe: [`${inboxPrefixOf(owner)}.>`],
  };
}

/** Replies come in below this subject, where no other service reads them. */
export const inboxPrefixOf = (owner: string): string => `_INBOX.${owner}`;
