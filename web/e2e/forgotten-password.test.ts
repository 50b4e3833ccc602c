import { expect, test } from 'vitest';
import { expectNoBarriers, phone, press, see, usePages } from './harness.ts';

const pages = usePages();

const codeFor = async (number: string): Promise<string | undefined> => {
  const texts = await pages.product.texts(number);
  return texts.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find((code) => code !== undefined);
};

test('a forgotten password can be replaced without guessing first', async () => {
  const subscriber = await pages.subscriber();
  const page = await pages.open('/login', { viewport: phone });
  await press(page, 'Forgot your password?');
  await page.getByRole('heading', { level: 1, name: 'Set Your Password' }).waitFor();
  await expect.poll(() => page.getByText('do not match').count()).toBe(0);
  await expectNoBarriers(page);
  await page.keyboard.type(subscriber.email);
  await page.getByLabel('New password').fill('better morning');
  await press(page, 'Send Me a Code');
  await see(page, /a code is on its way to your phone or email/);
  await expect.poll(() => codeFor(subscriber.phone)).toBeDefined();
  const code = (await codeFor(subscriber.phone)) ?? '';
  await page.getByLabel('6-digit code').fill(code);
  await press(page, 'Set Password and Sign In');
  await page.getByRole('heading', { level: 1, name: 'Hello, Ada' }).waitFor();
});
