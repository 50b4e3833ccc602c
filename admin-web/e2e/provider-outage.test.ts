import { join } from 'node:path';
import { afterEach, expect, inject, it } from 'vitest';
import { type Locator, type Page, type Subscriber, see, useAdminPages } from './harness.ts';

const pages = useAdminPages();
const { product, open, openAdmin } = pages;
const newYork = 'America/New_York';

afterEach(async () => {
  await product.faults({ reset: true });
  await product.api('POST', '/admin/freeze/lift', { missed: 'skip' }, pages.owner());
  await product.settle();
});

const dial = (faults: object) => product.faults({ reset: true, ...faults });
const banner = (page: Page, name: string | RegExp) => page.getByRole('region', { name });
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const headerButton = (page: Page, name: string) =>
  page.getByRole('banner').getByRole('button', { name });

/** Pictures of the runbook; `RUNBOOK_PICTURES=yes` updates them. */
async function picture(page: Page, name: string, of: Page | Locator = page): Promise<void> {
  if (process.env.RUNBOOK_PICTURES === undefined) return;
  for (const notice of await page.getByRole('button', { name: 'Dismiss' }).all())
    await notice.click();
  const folder = join(import.meta.dirname, '../../deploy/runbooks');
  await of.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}

/** Returns tomorrow's times in New York. */
async function tomorrow() {
  const today = Temporal.Instant.from((await product.now()).toISOString())
    .toZonedDateTimeISO(newYork)
    .toPlainDate();
  const date = today.add({ days: 1 });
  const at = (time: string) =>
    new Date(date.toZonedDateTime({ timeZone: newYork, plainTime: time }).epochMilliseconds);
  return { date: date.toString(), at };
}

const dueAtEight = (name: string, more: object = {}) =>
  pages.subscriber({ name, delivery_time: '08:00', ...more });

/** Creates a subscriber for each outcome, by name. */
async function everyone() {
  const people = await Promise.all([
    dueAtEight('Amy Waits'),
    dueAtEight('Ben Waits'),
    dueAtEight('Cleo Waits'),
    pages.subscriber({ name: 'Eve Early', delivery_time: '07:00' }),
    pages.subscriber({ name: 'Leo Later', delivery_time: '11:00' }),
    // Their hour ends at 09:00 in New York, before 08:00 their time, so the text can't be sent later.
    dueAtEight('Lou Late', { delivery_time: '05:00', timezone: 'America/Los_Angeles' }),
    // The sandbox gives these numbers an unclear response and a permanent rejection.
    pages.subscriber({ name: 'Una Unknown', delivery_time: '07:00', phone: '+14153000007' }),
    dueAtEight('Ray Refused', { phone: '+14152040310' }),
    dueAtEight('Pat Paused'),
  ]);
  await product.settle();
  await product.reply(people.at(-1)!.phone, 'PAUSE 7');
  await product.settle();
  return people;
}

/** Returns the number of texts per subscriber that the provider accepted for a date. */
async function takenFor(people: Subscriber[], date: string): Promise<Record<string, number>> {
  const ofDay = (dispatch: string | null) => dispatch?.startsWith(date.replaceAll('-', ''));
  const texts = (await product.texts()).filter(({ dispatch }) => ofDay(dispatch));
  const count = (number: string) => texts.filter(({ to }) => to === number).length;
  return Object.fromEntries(people.map(({ name, phone }) => [name, count(phone)]));
}

/** Returns the listed subscribers with their reasons. */
async function readUndelivered(page: Page, people: Subscriber[]) {
  const shows = page.getByRole('button', { name: /^Show subscribers: / });
  await shows.first().waitFor();
  const named: Record<string, string> = {};
  for (const show of await shows.all()) {
    const label = ((await show.getAttribute('aria-label')) ?? '').replace('Show subscribers: ', '');
    await show.click();
    const table = page.getByRole('table', { name: label });
    await table.waitFor();
    const words = await table.textContent();
    for (const { name, email } of people) if (words?.includes(email)) named[name] = label;
  }
  return named;
}

it('when the provider rejects everything, an operator finds the cause, freezes, fixes, catches up texts that are still on time, and lists the undelivered', async () => {
  const people = await everyone();
  const { date, at } = await tomorrow();
  await product.advanceTo(at('07:30'), 12);
  await dial({ error: { telnyx: { rate: 1, code: '20100' } } });
  await product.advanceTo(at('08:05'));

  const page = await open('/admin/login', { viewport: { width: 1180, height: 400 } });
  const { username, password } = inject('admin');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
  const refusal = banner(page, 'The provider is rejecting all texts: account balance is empty');
  await refusal.getByText('Top up the balance in the provider’s portal.').waitFor();
  await see(page, 'Message Statistics');
  await picture(page, '1-what-is-wrong');
  await page.setViewportSize({ width: 1180, height: 1_000 });

  await refusal.getByRole('link', { name: 'Undelivered texts' }).click();
  await see(page, 'The provider is rejecting all texts or is down.');
  await headerButton(page, 'Freeze sending').click();
  await page.getByLabel('Reason (optional)').fill('No money at the provider, topping up');
  const freeze = dialog(page, 'Freeze all sending?');
  await picture(page, '2-freeze', freeze);
  await freeze.getByRole('button', { name: 'Freeze sending' }).click();
  await banner(page, 'Sending is frozen').getByText('topping up').waitFor();
  await see(page, 'When you resume, one text goes first as a test.');

  await product.advanceTo(at('09:10'));
  await dial({});
  expect(await takenFor(people, date)).toMatchObject({ 'Amy Waits': 0, 'Lou Late': 0 });
  await banner(page, 'Sending is frozen').getByRole('button', { name: 'Resume sending…' }).click();
  const start = dialog(page, 'Resume sending?');
  await start.getByText(/people get their text now, for about/).waitFor();
  await start.getByText(/Too late for .*: their texts won't be sent/).waitFor();
  await picture(page, '3-start-again', start);
  await start.getByRole('button', { name: 'Resume sending' }).click();
  await see(page, 'Texts that are still on time are going out now.');
  for (const name of ['Sending is frozen', 'The provider is rejecting all texts'])
    await banner(page, name).waitFor({ state: 'detached' });
  await product.settle();

  const taken = await takenFor(people, date);
  expect(taken).toEqual({
    'Amy Waits': 1,
    'Ben Waits': 1,
    'Cleo Waits': 1,
    'Eve Early': 1,
    'Leo Later': 0,
    'Lou Late': 0,
    'Una Unknown': 0,
    'Ray Refused': 0,
    'Pat Paused': 0,
  });
  await see(page, 'The phone number is invalid.');
  await page.getByText('Late, but still within its sending window.').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show subscribers: Sending was frozen' }).click();
  await page.getByRole('link', { name: 'Lou Late' }).waitFor();
  await picture(page, '4-undelivered', page.locator('main'));
  const named = await readUndelivered(page, people);
  expect(named).toEqual({
    'Lou Late': 'Sending was frozen until it was too late.',
    'Ray Refused': 'The phone number is invalid. (Error 40310.)',
    'Una Unknown': expect.stringContaining('Provider server error.'),
    'Pat Paused': 'Texts paused by the subscriber.',
  });
  const dueWithNone = people.filter(({ name }) => taken[name] === 0 && name !== 'Leo Later');
  expect(Object.keys(named).toSorted()).toEqual(dueWithNone.map(({ name }) => name).toSorted());
  // Texts to these numbers would also fail in other files.
  for (const { id } of people.filter(({ name }) => /^(?:Una|Ray) /.test(name)))
    await product.api('DELETE', `/admin/users/${id}`, undefined, pages.owner());
}, 180_000);

it('an unavailable provider is reported after a handful of texts, and a manual try resumes sending', async () => {
  const person = await pages.subscriber();
  await product.settle();
  const before = (await product.texts(person.phone)).length;
  const page = await openAdmin('/admin/account');
  await dial({ telnyx_down: true });
  const textHelp = () => product.reply(person.phone, 'HELP');
  for (let count = 0; count < 5; count += 1) await textHelp();
  const down = banner(page, 'The provider is down: server errors');
  await down.getByText('(HTTP 503)').waitFor();
  await textHelp();
  await dial({});
  await down.getByRole('button', { name: 'Retry now' }).click();
  await down.waitFor({ state: 'detached' });
  await product.settle();
  // Only the waiting text is sent; the five unknown ones aren't retried.
  expect((await product.texts(person.phone)).length).toBe(before + 1);
});
