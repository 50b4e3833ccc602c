import { createHash, randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type { Recipient } from '@daylift/contracts/accounts.events';
import type { SubscriptionState } from '@daylift/contracts/billing.events';
import type { ReleasedDispatch } from '@daylift/contracts/scheduler.events';
import type { Identity } from '@daylift/server/identity';
import type { Insertable, Kysely } from 'kysely';
import type { SmsDatabase } from '../src/database.ts';
import { newTextId } from '../src/texts/text-ids.ts';
import type { TextsTable } from '../src/texts/texts.table.ts';
import type { Harness } from './harness.ts';

let numbers = 0;
export function aNumber(): string {
  numbers += 1;
  return `+1312556${String(numbers).padStart(4, '0')}`;
}

type KnownRecipient = Recipient & { phone: string };

export function recipientFacts(overrides: Partial<KnownRecipient> = {}): KnownRecipient {
  return {
    user_id: randomUUID(),
    version: 1,
    timezone: 'America/New_York',
    delivery_hour: 10,
    frequency: 'daily',
    weekday: null,
    is_active: true,
    delivery_enabled: true,
    paused_until: null,
    consent: 'granted',
    registered_at: '2027-03-01T12:00:00Z',
    phone: aNumber(),
    first_name: 'Ada',
    ...overrides,
  };
}

export function entitlement(
  userId: string,
  overrides: Partial<SubscriptionState> = {},
): SubscriptionState {
  return {
    user_id: userId,
    version: 1,
    status: 'trial',
    plan: 'monthly',
    trial_end: null,
    current_period_end: null,
    cancel_at_period_end: false,
    entitled: true,
    entitled_until: null,
    entitled_since: '2027-03-01T12:00:00Z',
    ...overrides,
  };
}

/** With these alone, the events of a new subscriber only store a row. */
const plain = new Set(['first_name', 'timezone', 'delivery_hour', 'frequency', 'weekday']);

/** Creates an eligible subscriber; no welcome is queued, so a test sees only its own texts. */
export async function aSubscriber(
  harness: Harness,
  overrides: Partial<KnownRecipient> = {},
): Promise<KnownRecipient> {
  const facts = recipientFacts(overrides);
  await harness.db
    .insertInto('own_text_keys')
    .values({ key: `welcome:${facts.user_id}`, text_id: 'before', created_at: new Date() })
    .execute();
  if (Object.keys(overrides).every((field) => plain.has(field))) {
    const { user_id, phone, first_name, timezone, delivery_hour, frequency, weekday } = facts;
    await harness.db
      .insertInto('recipients')
      .values({
        ...{ user_id, phone, number_hash: harness.deps.numberHash(phone), phone_proven: true },
        ...{ version: 1, number_version: 1, subscription_version: 1, entitled: true },
        ...{ first_name, timezone, delivery_hour, frequency, weekday },
        ...{ is_active: true, delivery_enabled: true, consent: 'granted' as const },
      })
      .execute();
    return facts;
  }
  await harness.receive('accounts.recipient.changed', facts);
  await harness.receive('billing.subscription.changed', entitlement(facts.user_id));
  return facts;
}

/** Returns the scheduler's id; a later generation of the same day has another. */
export function dispatchId(userId: string, localDate: string, generation = 1): string {
  const hash = createHash('md5').update(`${userId}/${localDate}/${generation}`).digest('hex');
  return `${localDate.replaceAll('-', '')}-${hash}`;
}

export function aDispatch(
  recipient: KnownRecipient,
  harness: Harness,
  overrides: Partial<ReleasedDispatch> & { generation?: number } = {},
): ReleasedDispatch {
  const { generation, ...rest } = overrides;
  const now = harness.clock.now();
  const local_date = rest.local_date ?? '2027-03-09';
  return {
    dispatch_id: dispatchId(recipient.user_id, local_date, generation),
    user_id: recipient.user_id,
    local_date,
    kind: 'daily',
    content: 'Good morning, {{first_name}}! Breathe.',
    scheduled_message_id: null,
    due_at: now.toISOString(),
    windows: [
      {
        opens_at: now.toISOString(),
        closes_at: new Date(now.getTime() + hourMs).toISOString(),
      },
    ],
    slot: {
      timezone: recipient.timezone,
      delivery_hour: recipient.delivery_hour,
      frequency: recipient.frequency,
      weekday: recipient.weekday,
    },
    ...rest,
  };
}

export interface ABatch {
  id: string;
  kind: 'scheduled' | 'manual_run' | 'staff_send';
  name: string;
  created_at: string;
}

export async function release(
  harness: Harness,
  dispatches: ReleasedDispatch[],
  batch: Partial<ABatch> = {},
): Promise<ABatch> {
  const whole: ABatch = {
    id: randomUUID(),
    kind: 'scheduled',
    name: 'Daily texts',
    created_at: harness.clock.now().toISOString(),
    ...batch,
  };
  await harness.receive('scheduler.dispatches.released', { batch: whole, dispatches });
  return whole;
}

/** Creates a subscriber whose text of today is queued. */
export async function aQueuedText(
  harness: Harness,
  options: {
    recipient?: Partial<KnownRecipient>;
    dispatch?: Partial<ReleasedDispatch>;
  } = {},
): Promise<{ id: string; recipient: KnownRecipient; batch: ABatch }> {
  const recipient = await aSubscriber(harness, options.recipient);
  const dispatch = aDispatch(recipient, harness, options.dispatch);
  const batch = await release(harness, [dispatch]);
  return { id: dispatch.dispatch_id, recipient, batch };
}

/** Inserts delivered texts of these dates directly. */
export async function pastTexts(
  db: Kysely<SmsDatabase>,
  userId: string,
  texts: ({ local_date: string } & Partial<Insertable<TextsTable>>)[],
): Promise<string[]> {
  const rows = texts.map((text) => {
    const at = new Date(`${text.local_date}T14:00:00Z`);
    return {
      id: newTextId(text.local_date),
      kind: 'daily' as const,
      user_id: userId,
      batch_id: randomUUID(),
      content: 'Breathe.',
      body: text.content ?? 'Breathe.',
      windows: '[]',
      deadline_at: at,
      state: 'delivered' as const,
      provider_id: randomUUID(),
      handed_at: at,
      settled_at: at,
      next_attempt_at: at,
      created_at: at,
      ...text,
    };
  });
  await db.insertInto('texts').values(rows).execute();
  return rows.map(({ id }) => id);
}

export const asUser = (user_id: string): Identity => ({
  kind: 'user',
  user_id,
  session_version: 0,
});
export const asAdmin = (role: 'viewer' | 'operator' | 'owner' = 'viewer'): Identity => ({
  kind: 'admin',
  admin_id: randomUUID(),
  username: 'someone',
  role,
  session_version: 0,
});
export const asService: Identity = { kind: 'service', name: 'scheduler' };
