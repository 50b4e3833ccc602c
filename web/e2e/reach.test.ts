import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  layoutShift,
  movements,
  outOfReach,
  watchLayoutShift,
  withoutVisibleFocus,
} from '../../deploy/system-tests/browser/reach-measures.ts';
import { aMessage } from './answers.ts';
import {
  anEmail,
  aPhone,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  mockCalls,
  type Page,
  phone,
  press,
  type Subscriber,
  see,
  usePages,
} from './harness.ts';

const pages = usePages();
const { product } = pages;
const gateway = () => product.urls.gateway;

interface State {
  name: string;
  /** Navigates to the state from the one before, and waits for it. */
  enter: (page: Page) => Promise<unknown>;
  /** Checks accessibility, if no other test does. */
  barriers?: boolean;
}
interface Visit {
  path: string;
  states: State[];
}

const heading = (name: string | RegExp) => (page: Page) =>
  page.getByRole('heading', { name }).first().waitFor();

const secondStep = async (page: Page) => {
  await page.getByLabel('Full name').fill('Ada Morning');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Phone number').fill(aPhone());
  await page.getByLabel(/^Password/).fill('good morning');
  await page.getByLabel('Confirm password').fill('good morning');
  await press(page, 'Continue');
  await heading('When should it arrive?')(page);
};
const refusedLogin = async (page: Page) => {
  await page.getByLabel('Email or phone').fill(anEmail());
  await page.getByLabel('Password', { exact: true }).fill('not this one');
  await press(page, 'Sign In');
  await heading('Set Your Password')(page);
};
const afterCheckout = (status: string, title: string) => async (page: Page) => {
  await mockCalls(page, '/payments/status/*', () => ({ json: { payment_status: status } }));
  await page.goto(`${gateway()}/success?session_id=cs_test_any`);
  await heading(title)(page);
};
const pressThenSee = (button: string, words: string | RegExp) => async (page: Page) => {
  await press(page, button);
  await page.getByText(words).or(page.getByLabel(words)).first().waitFor();
};

const visits: Visit[] = [
  { path: '/', states: [{ name: 'the landing page', enter: heading(/A kind word/) }] },
  {
    path: '/signup',
    states: [
      { name: 'the first step', enter: heading('Who is the text for?') },
      { name: 'the second step', enter: secondStep },
    ],
  },
  {
    path: '/login',
    states: [
      { name: 'the login', enter: heading('Welcome back') },
      { name: 'setting a password', enter: refusedLogin },
    ],
  },
  { path: '/privacy', states: [{ name: 'the policy', enter: heading('Privacy Policy') }] },
  { path: '/terms', states: [{ name: 'the terms', enter: heading('Terms of Service') }] },
  { path: '/contact', states: [{ name: 'the form', enter: heading('Contact') }] },
  { path: '/nothing', states: [{ name: 'the explanation', enter: heading(/Page not found/) }] },
  {
    path: '/success?session_id=cs_test_any',
    states: [
      ['paid', 'Welcome to Daylift!'],
      ['pending', 'Your payment is on its way'],
      ['expired', 'This checkout has expired'],
      ['unpaid', "We couldn't confirm your payment"],
    ].map(([status = '', title = '']) => ({
      name: `a checkout that is ${status}`,
      enter: afterCheckout(status, title),
    })),
  },
];

const ownVisits: Visit[] = [
  {
    path: '/dashboard',
    states: [
      {
        name: 'the overview',
        enter: async (page) => {
          // Only subscribers with texts have a history to search.
          await mockCalls(page, '/users/me/sms-history', () => ({ json: [aMessage(1)] }));
          await page.reload();
          await pressThenSee('Show All Messages', 'Search your messages')(page);
        },
      },
    ],
  },
  {
    path: '/dashboard?tab=plan',
    states: [
      { name: 'the plan', enter: heading('Invoices') },
      { name: 'a cancellation', enter: pressThenSee('Cancel Plan', 'Cancel your plan?') },
    ],
  },
  {
    path: '/dashboard?tab=settings',
    states: [
      { name: 'the settings', enter: heading('Your Data') },
      { name: 'a pause that is chosen', enter: pressThenSee('Pause', 'Pause until') },
      {
        name: 'the settings while they are edited',
        enter: async (page) => {
          await press(page, 'Change Password');
          await press(page, 'Edit');
          await page.getByLabel('Frequency').selectOption('weekly');
        },
        barriers: true,
      },
      { name: 'a deletion', enter: pressThenSee('Delete My Account', 'Delete your account?') },
    ],
  },
  {
    path: '/dashboard?tab=support',
    states: [{ name: 'a message', enter: pressThenSee('Contact Support', 'Subject') }],
  },
  {
    path: '/dashboard?tab=referrals',
    states: [
      {
        name: 'the link',
        enter: pressThenSee('Generate My Referral Code', 'Your referral link'),
      },
    ],
  },
  { path: '/upgrade', states: [{ name: 'the form', enter: heading('Upgrade'), barriers: true }] },
];

async function checkReach(page: Page, { name, barriers = false }: State): Promise<void> {
  for (const width of [320, 375, 768, 1440, 2560]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    if (width < 768) expect(await outOfReach(page), `${name} at ${width} px`).toEqual([]);
  }
  expect(await movements(page), `${name} moves for those who want it still`).toEqual([]);
  await page.keyboard.press('Tab');
  expect(await withoutVisibleFocus(page), `${name} does not show the focus`).toEqual([]);
  if (barriers) await expectNoBarriers(page);
}

describe('From 320 to 2560 px, by touch and keyboard, everything is reachable without layout shift', () => {
  const options = {
    viewport: phone,
    expectComplaints: failedCall,
  } as const;
  const visit = async ({ path, states }: Visit, as?: Subscriber) => {
    const page = await pages.open(path, { ...options, ...(as && { as }) });
    for (const state of states) {
      await state.enter(page);
      await checkReach(page, state);
    }
  };
  test.each(visits)('on $path', (one) => visit(one));

  let person: Subscriber | undefined;
  test.each(ownVisits)('on $path', async (one) => {
    person ??= await pages.subscriber();
    await visit(one, person);
  });
});

describe('While loading', () => {
  const loaded: [string, boolean, (page: Page) => Promise<unknown>][] = [
    ['/', false, (page) => see(page, '1,288')],
    ['/signup', false, (page) => page.getByLabel('Full name').waitFor()],
    ['/login', false, (page) => page.getByLabel('Email or phone').waitFor()],
    ['/dashboard', true, (page) => see(page, 'Your streak begins with your next text.')],
  ];
  test.each(loaded)("%s doesn't shift", async (path, signedIn, waitUntilLoaded) => {
    const as = signedIn ? { as: await pages.subscriber() } : {};
    const page = await pages.open('/privacy', { viewport: phone, ownContext: true, ...as });
    await watchLayoutShift(page);
    await page.goto(`${gateway()}${path}`, { waitUntil: 'networkidle' });
    await page.mouse.move(3, 3);
    await waitUntilLoaded(page);
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(await layoutShift(page)).toBeLessThan(0.02);
  });

  test('the landing page loads at most 90 KB of script, and nothing of the dashboard', async () => {
    const page = await pages.open('/icon.svg');
    const scripts = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(request.url());
    });
    await page.goto(`${gateway()}/`);
    await page.mouse.move(3, 3);
    await page.locator('script[data-hydrate]').waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    // Fetched again, because the browser may have evicted the bodies.
    const files = await Promise.all(
      [...scripts].map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
    );
    expect(files.length).toBeGreaterThan(1);
    const bytes = files.reduce((all, file) => all + gzipSync(file, { level: 9 }).length, 0);
    expect(bytes).toBeLessThanOrEqual(90 * 1024);
    for (const file of files)
      expect(file.toString()).not.toMatch(/Loading your dashboard|Account Security/);
  });
});
