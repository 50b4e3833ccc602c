import { dayMs } from '@daylift/clock/durations';
import { createPopulation, type Person } from './population.ts';

/** How texts to a number end. */
export type NumberKind = 'mobile' | 'landline' | 'disconnected';

export interface Recipient extends Person {
  numberKind: NumberKind;
}

/** The sandbox fails texts to numbers that end in 30 and a code. One number per area and code. */
const codes = { landline: '40001', disconnected: '40012' } as const;
const areas = [
  212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231, 234, 239, 240, 248, 251, 252,
  253, 254, 256, 260, 262, 267, 269, 270, 276, 281, 301,
];
const goodCard = '4242424242424242';

/** People who all pay, consent and change nothing: 2% have a landline, 1% a disconnected number. */
export function createRecipients(size: number): Recipient[] {
  return createPopulation(size).map((person, index) => {
    const numberKind = kindOf(index);
    const area = areas[Math.floor(index / 50) % areas.length];
    return {
      ...person,
      ...(numberKind !== 'mobile' && { phone: `+1${area}30${codes[numberKind]}` }),
      frequency: numberKind === 'mobile' ? person.frequency : 'daily',
      consent: true,
      card: goodCard,
      story: [],
      numberKind,
    };
  });
}

function kindOf(index: number): NumberKind {
  if (index % 50 === 7) return 'landline';
  return index % 100 === 33 ? 'disconnected' : 'mobile';
}

/** Daily texts before we stop: none to a landline, because the welcome fails, one on each of three dates to the others. */
export const textsUntilUnreachable = { landline: 0, disconnected: 3 } as const;

const prices = { monthly: 499, yearly: 4999 } as const;

/** What a day without a text is worth in cents, computed from the plan's price and the days of its period. */
export function worthOf({ plan, frequency }: Person, paidFrom: Date, day: Date): number {
  let from = paidFrom;
  let to = nextPeriod(plan, from);
  for (; to <= day; to = nextPeriod(plan, from)) from = to;
  const days = Math.round((to.getTime() - from.getTime()) / dayMs);
  return Math.ceil((prices[plan] * (frequency === 'weekly' ? 7 : 1)) / days);
}

/** Only for periods that start on a day every month has. */
function nextPeriod(plan: Person['plan'], from: Date): Date {
  const next = new Date(from);
  if (plan === 'yearly') next.setUTCFullYear(from.getUTCFullYear() + 1);
  else next.setUTCMonth(from.getUTCMonth() + 1);
  return next;
}
