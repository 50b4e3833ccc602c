import { dayMs } from '@daylift/clock/durations';
import { defaultCurrency, planIds, planTerms } from '@daylift/contracts/plans';
import type { MovePricesRequest, PriceMoves } from '@daylift/contracts/price-moves.http';
import { lockKey } from '@daylift/database/advisory-locks';
import { publishAdminAction } from '@daylift/events/admin-actions';
import type { ActingAdmin } from '@daylift/server/acting-admin';
import { findUsedCurrencies } from '../customers/currency.ts';
import type { Db } from '../database.ts';
import type { BillingDeps } from '../deps.ts';
import {
  NothingToMove,
  PlanUnavailable,
  PricesChanged,
  RequestKeyReused,
  UnknownMove,
} from '../errors.ts';
import { money } from '../notices/words.ts';
import {
  countRenewing,
  findMove,
  findUnplannedMove,
  insertMove,
  listMoves,
  lockMove,
  markStopped,
  type PriceMove,
  planChanges,
} from './price-changes.repository.ts';
import { renewalFrom } from './renewal-dates.ts';

/** A day more than promised, because the email may wait for the mail server. */
export const noticeMs = 31 * dayMs;

const shownMoves = 50;
const pageSize = 1_000;

/** Returns who pays an earlier price, and the moves so far. */
export async function readPriceMoves(deps: BillingDeps): Promise<PriceMoves> {
  const { db, clock, catalogues } = deps;
  const used = await findUsedCurrencies(db, deps);
  const sold = used.flatMap((currency) =>
    planIds.map((id) => ({ currency, ...catalogues[currency].plans[id] })),
  );
  const groups = await Promise.all(
    sold.map(async ({ currency, ...sale }) => {
      const { id: plan, price_cents: to_cents } = sale;
      const renewing = await countRenewing(db, sale, currency);
      const prices = [...new Set(renewing.map(({ from_cents }) => from_cents))];
      return prices
        .sort((one, other) => one - other)
        .map((from_cents) => {
          const own = renewing.filter((one) => one.from_cents === from_cents);
          const dates = own.flatMap(({ in_trial, first_renewal, last_renewal }) =>
            [first_renewal, last_renewal].map((at) =>
              firstRenewal(at, { in_trial, months: planTerms[plan].months, now: clock.now() }),
            ),
          );
          return {
            ...{ plan, currency, from_cents, to_cents },
            subscribers: own.reduce((total, one) => total + one.subscribers, 0),
            first_at: new Date(Math.min(...dates)).toISOString(),
            last_at: new Date(Math.max(...dates)).toISOString(),
          };
        });
    }),
  );
  const moves = await listMoves(db, shownMoves);
  return {
    groups: groups.flat(),
    moves: moves.map(({ provider_price: _, created_at, stopped_at, ...move }) => ({
      ...move,
      created_at: created_at.toISOString(),
      stopped_at: stopped_at?.toISOString() ?? null,
    })),
    currency: defaultCurrency,
  };
}

/** Returns the first renewal at the new price. The payment after a trial keeps the price that the trial started with. */
function firstRenewal(
  next: Date,
  { in_trial, months, now }: { in_trial: boolean; months: number; now: Date },
): number {
  const afterTrial = in_trial ? next.getTime() + 1 : 0;
  const earliest = new Date(Math.max(now.getTime() + noticeMs, afterTrial));
  return renewalFrom(next, months, earliest).getTime();
}

/** Starts a move of everyone who pays an earlier price. A request with the same key starts nothing again. */
export async function movePrices(
  deps: BillingDeps,
  { request_key: id, ...wanted }: MovePricesRequest,
  by: ActingAdmin,
): Promise<PriceMoves> {
  const { db, clock, catalogues, prices } = deps;
  const currency = wanted.currency ?? defaultCurrency;
  const known = await findMove(db, id);
  if (known !== undefined && !isSame(known, wanted)) throw new RequestKeyReused();
  if (known === undefined) {
    const sale = catalogues[currency].plans[wanted.plan];
    if (sale.price_cents !== wanted.to_cents) throw new PricesChanged();
    const provider_price = await prices.find(wanted.plan, currency).catch((error: unknown) => {
      deps.log.error({ err: error }, 'price lookup failed');
      throw new PlanUnavailable();
    });
    await db.transaction().execute(async (trx) => {
      await lockKey(trx, 'price-moves');
      if ((await findMove(trx, id)) !== undefined) return;
      const { plan, reason } = wanted;
      const subscribers = (await countRenewing(trx, sale, currency))
        .filter(({ from_cents }) => from_cents === wanted.from_cents)
        .reduce((total, one) => total + one.subscribers, 0);
      if (subscribers === 0) throw new NothingToMove();
      const now = clock.now();
      const facts = { provider_price, created_at: now, created_by: by.username };
      await insertMove(trx, { id, ...wanted, currency, ...facts });
      const from = money(wanted.from_cents, currency);
      const to = money(wanted.to_cents, currency);
      const action = {
        action: 'prices.moved',
        target: id,
        details: { plan, price: { from, to }, subscribers, reason },
      };
      await publishAdminAction(trx, 'billing', by, action, now);
    });
    await planNextChanges(db);
    deps.wake('price-changes');
  }
  return readPriceMoves(deps);
}

/**
 * Stops a move. Prices that are set already stay; everyone else keeps their price, and those who got an email get another
 * one. Plans of those who opted out still end, unless they choose to keep them.
 */
export async function stopMove(
  deps: BillingDeps,
  id: string,
  reason: string,
  by: ActingAdmin,
): Promise<PriceMoves> {
  const { db, clock } = deps;
  const now = clock.now();
  await db.transaction().execute(async (trx) => {
    const move = await lockMove(trx, id);
    if (move === undefined) throw new UnknownMove();
    if (move.stopped_at !== null) return;
    const subscribers = await markStopped(trx, id, now);
    const [from, to] = [move.from_cents, move.to_cents].map((cents) => money(cents, move.currency));
    const details = { plan: move.plan, price: { from, to }, subscribers, reason };
    const action = { action: 'prices.move_stopped', target: id, details };
    await publishAdminAction(trx, 'billing', by, action, now);
  });
  deps.wake('price-changes');
  return readPriceMoves(deps);
}

/** Plans a page of the oldest unfinished move. Returns false if there is none. */
export async function planNextChanges(db: Db): Promise<boolean> {
  const id = await findUnplannedMove(db);
  if (id === undefined) return false;
  await db.transaction().execute((trx) => planChanges(trx, id, pageSize));
  return true;
}

const isSame = (known: PriceMove, wanted: Omit<MovePricesRequest, 'request_key'>): boolean =>
  known.plan === wanted.plan &&
  known.currency === (wanted.currency ?? defaultCurrency) &&
  known.from_cents === wanted.from_cents &&
  known.to_cents === wanted.to_cents &&
  known.reason === wanted.reason;
