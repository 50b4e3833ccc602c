import { createHmac } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import type pg from 'pg';
import type { Secrets } from '../secrets.ts';

export interface SeedSize {
  /** Of these, `due` subscribers have their hour two hours from now, and none the hour before. */
  subscribers: number;
  /** Past texts, spread over as many days as needed. */
  texts: number;
  due: number;
}

/** Returns the hour of the `due` subscribers, far enough in the future for the seeding to finish. */
export const dueHour = (now: Date): Date =>
  new Date(Math.floor(now.getTime() / hourMs) * hourMs + 2 * hourMs);

const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Toronto',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
  'America/Mexico_City',
];
const firstNames = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eva', 'Finn', 'Gus', 'Hana', 'Ines', 'Jo', 'Kai'];
const lastNames = ['Abbott', 'Baker', 'Cruz', 'Dunn', 'Ellis', 'Ford', 'Gray', 'Hill', 'Ito'];

const text = (values: string[]): string => `(array[${values.map((one) => `'${one}'`).join(',')}])`;
const pick = (values: string[], seed: string): string =>
  `${text(values)}[1 + abs(hashint8(${seed})) % ${values.length}]`;

/**
 * Creates the temporary table `people`, from which all schemas are filled. The same number yields the same person, so
 * seeding again adds no duplicates. Sorted by the key of most tables, so their rows go to the end of its index. Uses the
 * product's own hash keys.
 */
export async function makePeople(
  client: pg.Client,
  { subscribers, due }: SeedSize,
  now: Date,
  secrets: Secrets,
): Promise<void> {
  await makeHashes(client, subscribers, secrets);
  const hour = `timestamptz '${dueHour(now).toISOString()}'`;
  await client.query(`create temporary table people as
    select n, md5('seeded person ' || n)::uuid as user_id,
      ${pick(firstNames, 'n')} || ' ' || ${pick(lastNames, 'n + 7')} || ' ' || n as name,
      'person.' || n || '@example.com' as email,
      '+1555' || lpad(n::text, 7, '0') as phone,
      zone as timezone,
      case when n <= ${due} then extract(hour from ${hour} at time zone zone)::int
        else (extract(hour from ${hour} at time zone zone)::int + 1 + abs(hashint8(n + 1)) % 22) % 24 end as hour,
      case when n % 20 = 0 then 'weekly' else 'daily' end as frequency,
      case when n % 20 = 0 then (extract(isodow from ${hour} at time zone zone))::int end as weekday,
      n % 40 <> 39 as is_active,
      n % 50 <> 49 as delivery_enabled,
      case when n % 60 = 59 then 'pending' else 'granted' end as consent,
      n % 70 = 69 as opted_out,
      case when n % 6 = 0 then 'yearly' else 'monthly' end as plan,
      case when n % 10 < 6 then 'active' when n % 10 < 8 then 'trial' when n % 10 = 8 then 'past_due'
        else 'canceled' end as status,
      timestamptz '${now.toISOString()}' - interval '9 days' - abs(hashint8(n + 5)) % 200 * interval '1 day' - n * interval '1 second' as registered_at,
      number_hash, phone_hash, email_hash
    from (select *, ${pick(zones, 'n + 3')} as zone from hashes) as numbered
    order by user_id`);
  await client.query('create index on people (user_id)');
  await client.query('analyze people');
}

const hashBatchSize = 50_000;

/** Creates the temporary table `hashes` with a row per subscriber. */
async function makeHashes(client: pg.Client, subscribers: number, secrets: Secrets): Promise<void> {
  const hash = (key: string, value: string) =>
    createHmac('sha256', key).update(value).digest('hex');
  await client.query(
    'create temporary table hashes (n int, number_hash text, phone_hash text, email_hash text)',
  );
  for (let from = 1; from <= subscribers; from += hashBatchSize) {
    const numbers = Array.from(
      { length: Math.min(hashBatchSize, subscribers - from + 1) },
      (_, index) => from + index,
    );
    const phones = numbers.map((n) => `+1555${String(n).padStart(7, '0')}`);
    await client.query(
      'insert into hashes select * from unnest($1::int[], $2::text[], $3::text[], $4::text[])',
      [
        numbers,
        phones.map((phone) => hash(secrets.number_hash_key, phone)),
        phones.map((phone) => hash(secrets.identity_hash_key, phone)),
        numbers.map((n) => hash(secrets.identity_hash_key, `person.${n}@example.com`)),
      ],
    );
  }
}
