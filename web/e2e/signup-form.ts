import { anEmail, aPhone, type Page, press } from './harness.ts';

export const aVisitor = () => ({
  name: 'Grace Newcomer',
  email: anEmail(),
  phone: aPhone(),
  password: 'good morning',
  confirmPassword: 'good morning',
});
export type Visitor = ReturnType<typeof aVisitor>;

export const field = (page: Page, name: string) => page.locator(`[name="${name}"]`);
export const typedIn = (page: Page, name: string) => field(page, name).inputValue();

export async function fillPersonalInfo(page: Page, visitor: Partial<Visitor>): Promise<void> {
  for (const [name, value] of Object.entries(visitor)) await field(page, name).fill(value);
}

/** Completes the first step. */
export async function reachPreferences(page: Page, visitor: Partial<Visitor>): Promise<void> {
  await fillPersonalInfo(page, visitor);
  await press(page, 'Continue');
  await page.getByRole('heading', { name: 'When should it arrive?' }).waitFor();
}

export const submit = (page: Page) => press(page, 'Start 3-Day Free Trial');
export const onCheckoutPage = (page: Page) => page.waitForURL(/\/c\/pay\/cs_test_/);

export const summary = (page: Page) =>
  page.getByRole('complementary', { name: 'Your subscription' });

export const countSignups = (page: Page) => {
  const signups = { count: 0 };
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/subscriptions'))
      signups.count += 1;
  });
  return signups;
};
