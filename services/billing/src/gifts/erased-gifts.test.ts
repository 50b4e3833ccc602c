import { randomUUID } from 'node:crypto';
import type { AdminAction } from '@daylift/contracts/admin-action';
import type { AdminRole } from '@daylift/contracts/fields';
import type { Gift } from '@daylift/contracts/gifts.http';
import { publishedEvents } from '@daylift/testing/published';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { useGifts } from '../../test/gifts.ts';
import { journeyMs, startBilling, type TestBilling } from '../../test/harness.ts';
import type { Person } from '../../test/lost-days.ts';
import type { Trx } from '../database.ts';
import { taskHandlers } from '../tasks.ts';

vi.setConfig({ testTimeout: journeyMs });
let test: TestBilling;
beforeAll(async () => {
  test = await startBilling();
});
afterAll(() => test.stop());
beforeEach(() => test.reset());
const { call, open, codeIn, buy, read, redeem, admin, listed } = useGifts(() => test);

it('an owner erases a buyer without an account from all their gifts, once, and the links stay valid', async () => {
  const buyer_email = `${randomUUID()}@buyers.test`;
  const [gift, other] = [await buy({ buyer_email }), await buy({ buyer_email, months: 1 })];
  const { body: page } = await open({ buyer_email, months: 6 });
  await open({ buyer_email, months: 12 });
  // As if the mail server were down.
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const resent = await call(`/admin/gifts/${other.id}/resend`, {}, admin('operator'));
  expect(resent.status).toBe(200);
  await test.settle();
  expect(rejected).toHaveBeenCalled();
  const erase = (role: AdminRole, reason = 'Requested by email', { id } = gift) =>
    call<Gift>(`/admin/gifts/${id}/erase-buyer`, { reason }, admin(role));
  for (const role of ['viewer', 'operator'] as const) expect((await erase(role)).status).toBe(403);
  expect((await erase('owner', '  ')).status).toBe(400);
  // Two owners concurrently.
  const erased = [gift, other].map((one) => erase('owner', undefined, one));
  for (const { body } of await Promise.all(erased))
    expect(body).toMatchObject({ buyer_name: '', buyer_email: '' });
  expect((await erase('owner')).status).toBe(200);
  rejected.mockRestore();
  await test.settle();
  expect(await listed(other.id)).toMatchObject({ state: 'ready', buyer_name: '', buyer_email: '' });
  const code = test.deps.giftCodes.codeOf(gift.id);
  expect((await read(code)).body).toMatchObject({ months: 3, message: null });
  const { stripe } = test.deps;
  // A gift paid on an open page is erased once its link is sent.
  await test.pay(page.session_id);
  await test.settle();
  const mails = await test.mails(buyer_email);
  const late = codeIn(mails[2]?.text ?? '');
  expect((await read(late)).body).toEqual({ months: 6, buyer_name: '', message: null });
  const session = await stripe.checkout.sessions.retrieve(page.session_id);
  for (const { customer } of [gift.session, session])
    expect(await stripe.customers.retrieve(customer as string)).toMatchObject({ deleted: true });
  const invoice = await stripe.invoices.retrieve(gift.session.invoice as string);
  expect(invoice.amount_paid).toBe(1497);
  // One that wasn't paid is erased once its page has expired.
  await test.advance(1.1);
  const rows = await Promise.all(
    (['gifts', 'mails', 'outbox'] as const).map((table) =>
      test.db.selectFrom(table).selectAll().execute(),
    ),
  );
  expect(JSON.stringify(rows)).not.toContain(buyer_email);
  const acted = (await publishedEvents(test.db, 'billing.admin.acted'))
    .map(({ data }) => data as AdminAction)
    .filter(({ action }) => action === 'gift.buyer_erased');
  expect(acted).toMatchObject([{ details: { gifts: 4, reason: 'Requested by email' } }]);
});

it('a buyer is erased from pages that were never stored, once they have expired or a day later', async () => {
  const { id, buyer_email } = await buy();
  const [known, unknown] = [await open({ buyer_email }), await open({ buyer_email, months: 6 })];
  const pages = [known, unknown].map(({ body }) => body.session_id);
  // As if billing had died first.
  const unstored = { session_id: null, url: null };
  await test.db.updateTable('gifts').set(unstored).where('session_id', 'in', pages).execute();
  await test.db.deleteFrom('provider_tasks').where('subject', 'in', pages).execute();
  const request = { reason: 'Requested by email' };
  expect((await call(`/admin/gifts/${id}/erase-buyer`, request, admin('owner'))).status).toBe(200);
  const left = async () =>
    (
      await test.db
        .selectFrom('gifts')
        .select('months')
        .where('buyer_email', '=', buyer_email)
        .orderBy('months')
        .execute()
    ).map(({ months }) => months);
  expect(await left()).toEqual([3, 6]);
  const fulfill = taskHandlers.fulfil_checkout;
  const lost = vi
    .spyOn(taskHandlers, 'fulfil_checkout')
    .mockImplementation(async (deps, session, key) => {
      if (session !== pages[1]) await fulfill(deps, session, key);
    });
  await test.advance(1.1);
  lost.mockRestore();
  expect(await left()).toEqual([6]);
  await test.advance(24);
  expect(await left()).toEqual([]);
});

it("a gift's link is sent to a buyer who is erased before the mail server accepts it", async () => {
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const { id, buyer_email } = await buy();
  expect(rejected).toHaveBeenCalled();
  const request = { reason: 'Requested by email' };
  expect((await call(`/admin/gifts/${id}/erase-buyer`, request, admin('owner'))).status).toBe(200);
  rejected.mockRestore();
  await test.advance(1 / 30);
  const [mail] = await test.mails(buyer_email);
  expect((await read(codeIn(mail?.text ?? ''))).status).toBe(200);
  const left = await test.db.selectFrom('mails').select('to_address').execute();
  expect(JSON.stringify(left)).not.toContain(buyer_email);
});

it("a gift's email that fails after its buyer is erased is deleted", async () => {
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const [{ id, buyer_email }, other] = [await buy(), await buy()];
  const request = { reason: 'Requested by email' };
  await call(`/admin/gifts/${id}/erase-buyer`, request, admin('owner'));
  await test.db.updateTable('mails').set({ tries: 29 }).execute();
  // They fail at the first stop, and old rows are deleted daily.
  await test.advance(48, 24);
  rejected.mockRestore();
  const left = await test.db.selectFrom('mails').select('to_address').execute();
  const addresses = left.map(({ to_address }) => to_address);
  expect(addresses).not.toContain(buyer_email);
  expect(addresses).toContain(other.buyer_email);
});

it('no delayed email of a void gift is sent, and one of a gift that was resent, even if its buyer is erased', async () => {
  const rejected = vi.spyOn(test.deps.giftCodes, 'insert').mockImplementation(() => {
    throw new Error('down');
  });
  const [voided, resent] = [await buy(), await buy()];
  expect(rejected).toHaveBeenCalled();
  for (const { id } of [voided, resent])
    expect((await call(`/admin/gifts/${id}/resend`, {}, admin('operator'))).status).toBe(200);
  const url = `/admin/gifts/${voided.id}/void`;
  expect((await call(url, {}, admin('operator'))).status).toBe(200);
  const request = { reason: 'Requested by email' };
  await call(`/admin/gifts/${resent.id}/erase-buyer`, request, admin('owner'));
  rejected.mockRestore();
  await test.advance(1 / 30);
  expect(await test.mails(voided.buyer_email)).toEqual([]);
  const [mail, ...others] = await test.mails(resent.buyer_email);
  expect((await read(codeIn(mail?.text ?? ''))).status).toBe(200);
  expect(others).toEqual([]);
});

it('several gifts are locked in the order of their ids to avoid deadlocks', async () => {
  const lock = (trx: Trx, { id }: { id: string }) =>
    trx.selectFrom('gifts').select('id').where('id', '=', id).forUpdate().noWait().execute();
  const hasWaiter = async () => {
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    return (await waiting.execute(test.db)).rows.length > 0;
  };
  const expectOrder = async (gifts: { id: string }[], act: () => Promise<unknown>) => {
    const [low, high] = gifts;
    const { acting } = await test.db.transaction().execute(async (trx) => {
      await lock(trx, low!);
      const started = { acting: act() };
      await expect.poll(hasWaiter).toBe(true);
      await lock(trx, high!);
      return started;
    });
    await acting;
  };
  const two = async (change: object) =>
    [await buy(change), await buy(change)].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const ofOne = await two({ buyer_email: `${randomUUID()}@buyers.test` });
  await expectOrder(ofOne, () =>
    call(`/admin/gifts/${ofOne[1]!.id}/erase-buyer`, { reason: 'By email' }, admin('owner')),
  );
  const person = await test.signUp();
  const [redeemed, bought] = await two({});
  await test.prove(person, { email: bought!.buyer_email });
  await redeem(redeemed!.code, person);
  await expectOrder([redeemed!, bought!], () =>
    test.hear('accounts', 'accounts.user.deleted', { user_id: person.user_id }),
  );
});

it('the export and the deletion cover buyer and recipient, and the link stays valid', async () => {
  const [buyer, recipient] = [await test.signUp(), await test.signUp()];
  await test.prove(buyer);
  const [passed, unused] = [
    await buy({ buyer_email: buyer.email }),
    await buy({ buyer_email: buyer.email, months: 1 }),
  ];
  await redeem(codeIn((await test.mails(buyer.email))[0]?.text ?? ''), recipient);
  await open({ buyer_email: buyer.email, months: 6 });
  await test.advance(1.1);
  const exported = async ({ user_id }: Person) =>
    (
      await test.app.inject({
        url: `/internal/export/${user_id}`,
        headers: test.as({ kind: 'service', name: 'accounts' }),
      })
    ).json();
  expect((await exported(buyer)).gifts_bought).toMatchObject([{ months: 3 }, { months: 1 }]);
  expect((await exported(recipient)).gifts_redeemed).toMatchObject([
    { months: 3, from: 'Grace Giver', message: 'Good mornings!' },
  ]);
  const timeline = await test.app.inject({
    url: `/internal/timeline/${recipient.user_id}?limit=10&kinds=payments`,
    headers: test.as({ kind: 'service', name: 'accounts' }),
  });
  expect(timeline.json().gifts).toMatchObject([{ id: passed.id, months: 3 }]);
  for (const { user_id } of [buyer, recipient])
    await test.hear('accounts', 'accounts.user.deleted', { user_id });
  await test.settle();
  const rows = await test.db
    .selectFrom('gifts')
    .select(['buyer_name', 'buyer_email', 'message'])
    .where('id', 'in', [passed.id, unused.id])
    .execute();
  expect(rows).toEqual(Array(2).fill({ buyer_name: '', buyer_email: '', message: null }));
  const ofBuyer = test.db.selectFrom('gifts').select('id').where('buyer_email', '=', buyer.email);
  expect(await ofBuyer.execute()).toEqual([]);
  const customer = await test.deps.stripe.customers.retrieve(unused.session.customer as string);
  expect(customer.deleted).toBe(true);
  const url = `/admin/gifts/${unused.id}/resend`;
  expect((await call(url, {}, admin('owner'))).body.code).toBe('GIFT_BUYER_ERASED');
  expect((await read(test.deps.giftCodes.codeOf(unused.id))).status).toBe(200);
});
