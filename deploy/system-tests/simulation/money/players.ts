import type { Person } from './oracle.ts';
import type { MoneyStack } from './stack.ts';
import type { Story } from './stories.ts';

export interface Player {
  story: Story;
  person: Person;
  userId: string;
  referrerId: string | null;
  /** Whether the story has started. */
  hasJoined: boolean;
  /** The provider's id, or '' before the first purchase. */
  customer: string;
  /** What happened, for the report of a divergence. */
  log: string[];
  divergence: string | null;
  /** Applies an act to the oracle once billing must have learned of it. */
  late: Finish | null;
}

export interface Outcome {
  isDone: boolean;
  /** A fault delayed the gift's email, so the gift can't be redeemed at this stop. */
  isLate?: boolean;
  why: string;
}

/** Applies an act to the oracle, once its time is known. */
export type Finish = (people: Person[]) => Promise<void>;

export interface World {
  players: Player[];
}

/** With lost webhooks, billing may learn of a renewal only at its next poll. */
export const faultySeconds = 100 * 60;

export const secondsOf = (date: Date): number => date.getTime() / 1000;

export function diverge(player: Player, what: string): void {
  player.divergence ??= what;
}

interface ProviderSubscription {
  id: string;
  status: string;
  items: { data: { current_period_start: number }[] };
}

export async function subscriptionsOf(
  stack: MoneyStack,
  { customer }: Player,
): Promise<ProviderSubscription[]> {
  return customer === '' ? [] : stack.list(`/v1/subscriptions?customer=${customer}&status=all`);
}

interface ProviderCharge {
  id: string;
  status: string;
  amount: number;
  currency: string;
  amount_refunded: number;
  created: number;
}

export async function providerCharges(
  stack: MoneyStack,
  { customer }: Player,
): Promise<ProviderCharge[]> {
  if (customer === '') return [];
  const charges = await stack.list<ProviderCharge>(`/v1/charges?customer=${customer}`);
  return charges.filter(({ status }) => status === 'succeeded').reverse();
}
