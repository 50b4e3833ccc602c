import { randomUUID } from 'node:crypto';
import { hourMs } from '@daylift/clock/durations';
import { accountsEvents } from '@daylift/contracts/accounts.events';
import type { Frequency, PlanId } from '@daylift/contracts/fields';
import { defaultPlan } from '@daylift/contracts/plans';
import { publish } from '@daylift/events/publish';
import type { Trx } from '../database.ts';
import type { AccountsDeps } from '../deps.ts';
import { canonicalEmail } from './email-address.ts';
import { weekdayOfTomorrow } from './local-dates.ts';
import { readPersonName } from './person-name.ts';
import { readTimeZone } from './time-zone.ts';
import { publishContact, publishUser, signupFactsOf } from './user-events.ts';
import type { NewUser, User } from './users.table.ts';

export const signupLifetimeMs = 24 * hourMs;

/** Returns when a signup of this moment expires unless it is paid or proven. */
export const signupEnd = (now: Date): Date => new Date(now.getTime() + signupLifetimeMs);

export interface NewUserForm {
  name: string;
  email: string;
  phone: string;
  timezone: string;
  delivery_time: string;
  plan?: PlanId | undefined;
  delivery_frequency?: Frequency | undefined;
  sms_consent?: boolean | undefined;
}

export function readNewUser(deps: Pick<AccountsDeps, 'readPhone'>, form: NewUserForm, now: Date) {
  const timezone = readTimeZone(form.timezone);
  const frequency = form.delivery_frequency ?? 'daily';
  return {
    id: randomUUID(),
    name: readPersonName(form.name),
    email: canonicalEmail(form.email),
    phone: deps.readPhone(form.phone),
    timezone,
    delivery_hour: Number(form.delivery_time.slice(0, 2)),
    frequency,
    weekday: frequency === 'weekly' ? weekdayOfTomorrow(now, timezone) : null,
    plan: form.plan ?? defaultPlan,
    consent: form.sms_consent === true ? 'granted' : 'pending',
    registered_at: now,
  } satisfies Partial<NewUser>;
}

export async function publishNewUser(
  trx: Trx,
  deps: Pick<AccountsDeps, 'identityHash'>,
  user: User,
  now: Date,
): Promise<void> {
  const facts = signupFactsOf(user, deps.identityHash);
  await publish(trx, accountsEvents, 'accounts.user.registered', facts, now);
  await publishUser(trx, user, now, user.created_by === null ? 'subscriber' : 'admin');
  await publishContact(trx, deps.identityHash, user, now);
}
