import { describe, expect, test } from 'vitest';
import {
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failCalls,
  failedCall,
  holdCalls,
  narrow,
  type Page,
  phone,
  press,
  see,
  useDashboard,
  usePages,
} from './harness.ts';
import {
  aVisitor,
  field,
  fillPersonalInfo,
  onCheckoutPage,
  reachPreferences,
  submit,
  summary,
  typedIn,
} from './signup-form.ts';

const pages = usePages();
const { product } = pages;
const { reader } = useDashboard(pages);
const gateway = () => product.urls.gateway;

const plan = (page: Page, name: string) => page.getByRole('radio', { name: new RegExp(name) });
const isOnScreen = (page: Page, words: string) =>
  page.getByText(words, { exact: true }).evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= window.innerHeight;
  });
const focused = (page: Page, name: string) =>
  page.locator(`[name="${name}"]:focus`).waitFor({ state: 'attached' });

describe('Plan and referral in the URL:', () => {
  test("select the plan, at the catalogue's price, and Monthly if unknown", async () => {
    const page = await pages.open('/icon.svg');
    for (const [address, name, price] of [
      ['/signup', 'Monthly', '$4.99/month'],
      ['/signup?plan=yearly', 'Yearly', '$49.99/year'],
      ['/signup?plan=weekly', 'Monthly', '$4.99/month'],
    ] as const) {
      await page.goto(`${gateway()}${address}`);
      await see(page, `3 days free, then ${price}.`);
      await expect.poll(() => plan(page, name).isChecked()).toBe(true);
      for (const words of ['$0.00', 'After 3 free days', price, 'Save 17%'])
        await summary(page).getByText(words).first().waitFor();
    }
  });

  test('another plan and all input are kept when going back by button or browser, and into the checkout', async () => {
    const page = await pages.open('/signup');
    const visitor = aVisitor();
    await fillPersonalInfo(page, visitor);
    // A double click goes one step, too.
    await page.getByRole('button', { name: 'Continue' }).dblclick();
    await page.getByRole('heading', { name: 'When should it arrive?' }).waitFor();
    await plan(page, 'Yearly').check();
    await page.waitForURL(/plan=yearly/);
    await field(page, 'timezone').selectOption('Asia/Tokyo');
    for (const back of [() => press(page, 'Back'), () => page.goBack()]) {
      await back();
      await page.getByRole('heading', { name: 'Who is the text for?' }).waitFor();
      expect(await typedIn(page, 'password')).toBe(visitor.password);
      await see(page, '3 days free, then $49.99/year.');
      await page.waitForURL(/plan=yearly/);
      await press(page, 'Continue');
      await page.getByRole('heading', { name: 'When should it arrive?' }).waitFor();
    }
    expect(await typedIn(page, 'timezone')).toBe('Asia/Tokyo');
    await submit(page);
    await onCheckoutPage(page);
    await see(page, /\$49\.99/);
  });

  test('an invitation is kept while browsing, and counts for the friend', async () => {
    const friend = await pages.subscriber({}, false);
    const { referral_code } = (
      await product.api<{ referral_code: string }>(
        'POST',
        '/users/me/generate-referral',
        undefined,
        friend.token,
      )
    ).body;
    const page = await pages.open(`/signup?ref=${referral_code}`);
    await see(page, "A friend invited you. They'll get a thank-you once you subscribe.");
    // The code is stored once the app has hydrated.
    await page.waitForFunction(() => localStorage.getItem('signup_ref') !== null);
    await page.getByRole('link', { name: 'Back to Home' }).click();
    await page.getByRole('heading', { level: 1, name: /A kind word/ }).waitFor();
    await page.getByRole('link', { name: 'Start 3-Day Free Trial' }).first().click();
    await see(page, 'A friend invited you.');
    await reachPreferences(page, aVisitor());
    expect(await page.getByLabel('Referral code').inputValue()).toBe(referral_code);
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/subscriptions'));
    await submit(page);
    expect((await sent).postDataJSON()).toMatchObject({ ref: referral_code, plan: 'monthly' });
    await onCheckoutPage(page);
  });

  test("an unknown referral code is named, accessibly at 320 px, and doesn't hold up the signup", async () => {
    const page = await pages.open('/signup?ref=NOSUCHCODE', { viewport: narrow });
    const unknown = "We don't know this referral code, so it won't count.";
    await see(page, unknown);
    await expect
      .poll(() => page.locator('[aria-current=step]').textContent())
      .toContain('Personal Info');
    expect(await page.getByText('A friend invited you.').count()).toBe(0);
    await expectNoSidewaysScroll(page);
    await expectNoBarriers(page);
    await reachPreferences(page, aVisitor());
    const described = await page.getByLabel('Referral code').getAttribute('aria-describedby');
    await expect.poll(() => page.locator(`#${described}`).textContent()).toBe(unknown);
    await submit(page);
    await onCheckoutPage(page);
  });

  test('a signed-in user is led to the upgrade instead', async () => {
    const page = await pages.open('/signup?plan=yearly', { as: reader() });
    await page.waitForURL(/\/upgrade\?plan=yearly$/);
  });
});

describe('The first step', () => {
  test('shows an error beside its field, in view on a phone, and rates the password but never blocks a weak one', async () => {
    const page = await pages.open('/signup', { viewport: phone });
    const visitor = { ...aVisitor(), password: 'aaaaaa', confirmPassword: 'aaaaaa' };
    const expectProblem = async (words: string, name: string) => {
      await press(page, 'Continue');
      await see(page, words);
      await focused(page, name);
      await expect.poll(() => field(page, name).getAttribute('aria-invalid')).toBe('true');
    };
    await expectProblem('Please fill in all required fields', 'name');
    for (const words of ['Enter your full name', 'Enter your phone number', 'Choose a password'])
      await see(page, words);
    expect(await isOnScreen(page, 'Enter your full name')).toBe(true);
    await expectNoBarriers(page);
    await fillPersonalInfo(page, { ...visitor, confirmPassword: '' });
    await expectProblem('Please fill in all required fields', 'confirmPassword');
    await fillPersonalInfo(page, {
      email: 'grace at example',
      phone: '4155550',
      password: 'short',
      confirmPassword: 'good evening',
    });
    await expectProblem('Please enter a valid email address', 'email');
    for (const words of [
      "This number is too short or doesn't exist. Check the digits and the country code.",
      'Password must be at least 6 characters long',
      'Passwords do not match',
    ])
      await see(page, words);
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    await fillPersonalInfo(page, { ...visitor, confirmPassword: 'good evening' });
    await expectProblem('Passwords do not match', 'confirmPassword');
    for (const [password, strength] of [
      ['short', 'Too short'],
      ['sunrise12', 'Fair'],
      ['Sunrise over 7 hills', 'Strong'],
      ['aaaaaa', 'Weak'],
    ] as const) {
      await field(page, 'password').fill(password);
      await see(page, `At least 6 characters. Strength: ${strength}`);
    }
    await reachPreferences(page, visitor);
  });

  test("accepts a national number of the browser's country or of another one", async () => {
    const page = await pages.open('/signup', { timezoneId: 'Europe/London' });
    const country = page.getByLabel('Country');
    await expect.poll(() => country.inputValue()).toBe('GB');
    await field(page, 'phone').fill('(415) 555-0143');
    await country.selectOption('US');
    expect(await typedIn(page, 'phone')).toBe('(415) 555-0143');
    await field(page, 'phone').fill('+1 020 7946 0958');
    await country.selectOption('GB');
    expect(await typedIn(page, 'phone')).toBe('020 7946 0958');
    expect(await country.inputValue()).toBe('GB');
    await field(page, 'phone').fill('+33 6 12 34 56 78');
    await expect.poll(() => country.inputValue()).toBe('FR');
    await country.selectOption('GB');
    // Other digits after 7700 can be Jersey's, which is not served.
    const visitor = { ...aVisitor(), phone: `07700 9${aPhone().slice(-5)}` };
    await reachPreferences(page, visitor);
    expect(await typedIn(page, 'timezone')).toBe('Europe/London');
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/subscriptions'));
    await submit(page);
    const { phone: number } = (await sent).postDataJSON();
    expect(number).toBe(`+447700${visitor.phone.slice(-6)}`);
    await onCheckoutPage(page);
  });

  test('shows a press from before its script loaded as waiting, and replays it with the input', async () => {
    const page = await pages.open('/privacy');
    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/index-.*\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${gateway()}/signup?plan=yearly`);
    const visitor = { ...aVisitor(), phone: `07700 9${aPhone().slice(-5)}` };
    await fillPersonalInfo(page, visitor);
    await page.getByLabel('Country').selectOption('GB');
    await press(page, 'Continue');
    await page.locator('button[aria-busy=true]', { hasText: 'Continue' }).waitFor();
    held.resolve();
    await page.getByRole('heading', { name: 'When should it arrive?' }).waitFor();
    expect(await page.locator('[aria-busy]').count()).toBe(0);
    expect(await typedIn(page, 'timezone')).toBe('America/New_York');
    await page.goBack();
    expect(await typedIn(page, 'email')).toBe(visitor.email);
    expect(await page.getByLabel('Country').inputValue()).toBe('GB');
  });

  test('shows the prices in the currency of the phone number', async () => {
    const page = await pages.open('/privacy');
    await page.route(
      (url) => url.pathname === '/signup',
      async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        const body = html.replace('"country":"GB",', '"country":"GB","currency":"gbp",');
        await route.fulfill({ response, body });
      },
    );
    await page.goto(`${gateway()}/signup?plan=monthly`);
    await summary(page).getByText('$4.99/month').first().waitFor();
    await fillPersonalInfo(page, { ...aVisitor(), phone: '+447700900123' });
    await summary(page).getByText('£4.49/month').first().waitFor();
    await see(page, '3 days free, then £4.49/month.');
    await see(page, '£44.99');
    expect(await page.getByText('$').count()).toBe(0);
  });

  test('keeps input over a reload, except passwords, and says so', async () => {
    const page = await pages.open('/signup?plan=yearly');
    const visitor = aVisitor();
    await reachPreferences(page, visitor);
    await field(page, 'delivery_time').selectOption('21:00');
    await page.reload();
    await page.getByRole('heading', { name: 'Who is the text for?' }).waitFor();
    await expect.poll(() => typedIn(page, 'name')).toBe(visitor.name);
    expect(await typedIn(page, 'email')).toBe(visitor.email);
    expect(await typedIn(page, 'phone')).toBe(visitor.phone);
    expect(await typedIn(page, 'password')).toBe('');
    await see(page, 'Please enter it again. We never keep passwords when a page reloads.');
    await expect
      .poll(() => field(page, 'password').evaluate((input) => input === document.activeElement))
      .toBe(true);
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain(
      visitor.password,
    );
    await reachPreferences(page, {
      password: visitor.password,
      confirmPassword: visitor.password,
    });
    expect(await typedIn(page, 'delivery_time')).toBe('21:00');
    await expect.poll(() => plan(page, 'Yearly').isChecked()).toBe(true);
  });
});

const zones = [
  ['America/New_York', 'New York'],
  ['America/Chicago', 'Chicago'],
  ['America/Denver', 'Denver'],
  ['America/Los_Angeles', 'Los Angeles'],
  ['Europe/London', 'London'],
  ['Europe/Paris', 'Paris'],
  ['Europe/Berlin', 'Berlin'],
  ['Asia/Tokyo', 'Tokyo'],
  ['Asia/Shanghai', 'Shanghai'],
  ['Australia/Sydney', 'Sydney'],
  ['America/Toronto', 'Toronto'],
  ['America/Mexico_City', 'Mexico City'],
];
const optionsOf = (page: Page, select: string) =>
  field(page, select)
    .locator('option')
    .evaluateAll((options) =>
      options.map((option) => [(option as HTMLOptionElement).value, option.textContent]),
    );

test('The second step offers common zones first and hours on a 12-hour clock, requires both, and asks for consent with an unchecked box', async () => {
  const page = await pages.open('/signup', { viewport: narrow });
  await reachPreferences(page, aVisitor());
  await expect
    .poll(() => page.locator('[aria-current=step]').textContent())
    .toContain('Preferences');
  const offered = await optionsOf(page, 'timezone');
  expect(offered.slice(1, 13)).toEqual(zones);
  const names = offered.map(([zone]) => zone);
  expect(names).toContain('Asia/Kolkata');
  for (const obsolete of ['Asia/Calcutta', 'Europe/Kiev', 'US/Eastern', 'EST'])
    expect(names).not.toContain(obsolete);
  const hours = (await optionsOf(page, 'delivery_time')).slice(1);
  expect(hours).toHaveLength(24);
  for (const hour of [
    ['00:00', '12:00 AM'],
    ['09:00', '9:00 AM'],
    ['12:00', '12:00 PM'],
    ['23:00', '11:00 PM'],
  ])
    expect(hours).toContainEqual(hour);
  expect(await typedIn(page, 'delivery_time')).toBe('09:00');
  await expect.poll(() => page.getByRole('radio', { name: 'Daily' }).isChecked()).toBe(true);
  const consent = page.getByRole('checkbox');
  expect(await consent.isChecked()).toBe(false);
  for (const words of ['Daylift', 'one a day', 'Msg & data rates may apply', 'STOP', 'HELP'])
    await page.locator('label', { hasText: words }).first().waitFor();
  for (const name of ['Terms of Service', 'Privacy Policy'])
    await page.locator('form').getByRole('link', { name }).waitFor();
  await see(page, "we'll send one text asking you to reply YES");
  await page.getByText('Weekly', { exact: true }).click();
  await page.locator('label', { hasText: 'one a week' }).waitFor();
  for (const name of ['timezone', 'delivery_time']) {
    const before = await typedIn(page, name);
    await field(page, name).selectOption('');
    await submit(page);
    await page
      .getByRole('alert')
      .getByText('Please select your timezone and delivery time', { exact: true })
      .waitFor();
    await focused(page, name);
    if (name === 'timezone') await expectNoBarriers(page);
    await field(page, name).selectOption(before);
  }
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  await expectNoSidewaysScroll(page);
});

describe('Submitting', () => {
  test('explains a broken service and a lost connection, shows progress during a slow call, and signs up once for any number of clicks', async () => {
    const page = await pages.open('/signup', { expectComplaints: failedCall });
    await reachPreferences(page, aVisitor());
    const restore = await failCalls(page, 'POST', '/subscriptions');
    const alert = page.getByRole('alert');
    await submit(page);
    await alert.getByText('Something went wrong. Please try again.', { exact: true }).waitFor();
    expect(await page.getByText('internal words').count()).toBe(0);
    await expectNoBarriers(page);
    restore();
    await page.context().setOffline(true);
    await submit(page);
    await alert.getByText('You seem to be offline.').waitFor();
    await see(page, 'Something went wrong. Please try again.');
    await page.context().setOffline(false);
    const held = await holdCalls(page, 'POST', '/subscriptions');
    const button = page.getByRole('button', { name: 'Start 3-Day Free Trial' });
    await button.dblclick();
    await page.locator('button[data-loading]').waitFor();
    await button.press('Enter');
    held.release();
    await onCheckoutPage(page);
    expect(held.count).toBe(1);
  });

  test('explains a number with a digit too few, and a country that is not served', async () => {
    const page = await pages.open('/signup', { expectComplaints: failedCall });
    for (const [number, words] of [
      ['+33 6 12 34 56 7', /too short or doesn't exist\./],
      ['+7 912 345 67 89', /can't text numbers in this country/],
    ] as const) {
      await reachPreferences(page, { ...aVisitor(), phone: number });
      await submit(page);
      await page.getByRole('alert').getByText(words).waitFor();
      await focused(page, 'phone');
    }
    await reachPreferences(page, { phone: aPhone() });
    await submit(page);
    await onCheckoutPage(page);
  });

  test('asks the user to sign in if the email was confirmed by another signup meanwhile', async () => {
    const page = await pages.open('/signup', { expectComplaints: failedCall });
    const visitor = aVisitor();
    await reachPreferences(page, visitor);
    const { email } = await pages.subscriber({ email: visitor.email }, false);
    await product.confirmEmail(email);
    await submit(page);
    const alert = page.getByRole('alert');
    await alert
      .getByText('An account with this email or phone already exists. Please sign in.')
      .waitFor();
    await alert.getByRole('link', { name: 'Sign In' }).click();
    await page.waitForURL(/\/login$/);
  });
});
