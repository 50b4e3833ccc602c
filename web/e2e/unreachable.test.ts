import type { Me } from '@daylift/contracts/accounts.http';
import { eventually } from '@daylift/testing/eventually';
import { formatPhone } from '@daylift/ui/formats';
import { expect, test } from 'vitest';
import {
  expectNoBarriers,
  expectNoSidewaysScroll,
  narrow,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;

interface Mail {
  subject: string;
}
const me = async (person: Subscriber) =>
  (await product.api<Me>('GET', '/users/me', undefined, person.token)).body;
const dayPasses = async () => {
  await product.advance(24, 24);
  await product.settle();
};
const mailsTo = async ({ email }: Subscriber) =>
  (await product.sandbox<Mail[]>('GET', `/sandbox/emails?to=${encodeURIComponent(email)}`)).body;
const textsTo = async (person: Subscriber) => (await product.texts(person.phone)).length;

test('A landline pauses texts, says so by email and on every tab, and a YES brings them back', async () => {
  const person = await pages.subscriber();
  const number = `+1 ••• ${person.phone.slice(-4)}`;
  // The welcome is sent before the number turns out to be a landline.
  await product.settle();
  const before = await textsTo(person);
  const landline = { recipients: { [person.phone]: { code: '40001' } } };
  await product.faults(landline);
  await product.advance(26, 26);
  await product.settle();
  expect(await me(person)).toMatchObject({ unreachable: { reason: 'landline', number } });
  await product.faults({ recipients: { [person.phone]: null } });
  // Nothing is sent although the number works again.
  await dayPasses();
  expect(await textsTo(person)).toBe(before);
  const mails = await eventually(async () => {
    const mails = await mailsTo(person);
    const found = mails.filter(({ subject }) => subject === "We can't reach your phone");
    return found.length === 0 ? undefined : found;
  });
  expect(mails).toHaveLength(1);

  const page = await pages.open('/dashboard', { as: person, viewport: narrow });
  const banner = page.getByRole('region', { name: `We can't reach ${number}` });
  for (const tab of ['Plan', 'Support', 'Overview']) {
    await page.getByRole('tab', { name: tab }).click();
    await banner.getByText('Your texts are paused, and your plan is billed as usual.').waitFor();
  }
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  await banner.getByRole('link', { name: 'Check or Change Your Number' }).click();
  await see(page, `Is ${formatPhone(person.phone)} right?`);
  await banner.getByRole('button', { name: 'Try Again' }).click();
  await see(page, 'Please reply YES to our text to get your texts.');
  await eventually(async () => (await textsTo(person)) === before + 1, { what: 'the request' });
  await product.reply(person.phone, 'YES');
  await product.settle();
  await banner.waitFor({ state: 'detached' });
  expect(await me(person)).toMatchObject({ consent: 'granted', unreachable: null });
  await page.getByRole('tab', { name: 'Overview' }).click();
  await see(page, /at 9:00 AM/);
  const textsBefore = await textsTo(person);
  await dayPasses();
  expect(await textsTo(person)).toBe(textsBefore + 1);
});
