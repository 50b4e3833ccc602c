import type { GiftCheckout, GiftOffer } from '@daylift/contracts/gifts.http';
import { eventually } from '@daylift/testing/eventually';
import { expect, it } from 'vitest';
import {
  anEmail,
  expectNoBarriers,
  expectNoSidewaysScroll,
  failedCall,
  mockCalls,
  phone,
  press,
  see,
  usePages,
} from './harness.ts';
import { aVisitor, reachPreferences } from './signup-form.ts';

const pages = usePages();

it('the form shows the price before the payment, checks its fields and keeps them after an error', async () => {
  const page = await pages.open('/', { viewport: phone, expectComplaints: failedCall });
  const sent: unknown[] = [];
  await mockCalls(page, '/gifts/checkout', (call) => {
    sent.push(call.body());
    if (sent.length === 1)
      return {
        status: 409,
        json: { detail: 'Several gift checkouts are open.', code: 'TOO_MANY_GIFTS' },
      };
    const url = `${pages.product.urls.gateway}/privacy`;
    return { json: { url, session_id: 'cs_test_1' } satisfies GiftCheckout };
  });
  await page.getByRole('link', { name: 'Give it as a gift' }).click();
  await page.getByRole('heading', { level: 1, name: 'Give someone kind mornings' }).waitFor();
  await page.getByRole('button', { name: 'Continue and Pay $14.97' }).waitFor();
  await expectNoSidewaysScroll(page);
  await expectNoBarriers(page);
  for (const [months, price] of [
    ['1 month', '$4.99'],
    ['6 months', '$29.94'],
    ['12 months', '$49.99'],
  ] as const) {
    await page.getByRole('radio', { name: months }).check();
    await page.getByRole('button', { name: `Continue and Pay ${price}` }).waitFor();
  }
  await press(page, 'Continue and Pay $49.99');
  expect(await page.getByText('Please fill in all required fields').count()).toBe(2);
  await page.getByLabel('Your name').fill('Grace Giver');
  await page.getByLabel('Your email').fill('grace@buyers.example');
  await press(page, 'Continue and Pay $49.99');
  await see(page, 'Several gift checkouts are open.');
  await expectNoBarriers(page);
  await press(page, 'Continue and Pay $49.99');
  await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
  const origin_url = pages.product.urls.gateway;
  const body = { buyer_name: 'Grace Giver', buyer_email: 'grace@buyers.example', origin_url };
  expect(sent).toEqual([1, 2].map(() => ({ months: 12, ...body })));
});

it('the form says that tax is added, and the plan page leads to it', async () => {
  const subscriber = await pages.subscriber();
  const page = await pages.open('/dashboard?tab=plan', { as: subscriber, viewport: phone });
  await mockCalls(page, '/plans', async (call) => ({
    json: { ...(await call.real()), plus_tax: true },
  }));
  await page.getByRole('link', { name: 'Give it as a gift' }).press('Enter');
  await page.waitForURL('**/gift');
  await page.reload();
  await page.getByRole('radio', { name: /12 months\s*\$49\.99 plus tax/ }).waitFor();
  await page.getByRole('button', { name: 'Continue to Payment', exact: true }).waitFor();
  await see(page, "Next, you'll pay on our payment provider's secure page, where tax is added.");
  await expectNoSidewaysScroll(page);
});

it("the form charges in the currency of the visitor's country", async () => {
  const page = await pages.open('/privacy');
  const sent: unknown[] = [];
  await mockCalls(page, '/plans', async (call) => {
    const catalogue = await call.real();
    const countries = [{ country: 'US', calling_code: '1', currency: 'gbp' }];
    return { json: { ...catalogue, countries } };
  });
  await mockCalls(page, '/gifts/checkout', (call) => {
    sent.push(call.body());
    const url = `${pages.product.urls.gateway}/privacy`;
    return { json: { url, session_id: 'cs_test_1' } satisfies GiftCheckout };
  });
  await page.goto(`${pages.product.urls.gateway}/gift`);
  await page.getByRole('radio', { name: /12 months\s*£44\.99/ }).check();
  await page.getByLabel('Your name').fill('Grace Giver');
  await page.getByLabel('Your email').fill('grace@buyers.example');
  await press(page, 'Continue and Pay £44.99');
  await page.getByRole('heading', { name: 'Privacy Policy' }).waitFor();
  expect(sent).toMatchObject([{ months: 12, currency: 'gbp' }]);
});

it('a link shows its gift and never sends its code in a URL, and a rejected one says why', async () => {
  const page = await pages.open('/privacy', { expectComplaints: failedCall });
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  const gift: GiftOffer = {
    ...{ months: 6, buyer_name: 'Grace Giver', message: 'Be well,\nGrace' },
  };
  const refused = { detail: 'This gift has already been redeemed.', code: 'GIFT_USED' };
  await mockCalls(page, '/gifts/read', (call) =>
    (call.body() as { gift_code: string }).gift_code === 'used-code'
      ? { status: 409, json: refused }
      : { json: gift },
  );
  await page.goto(`${pages.product.urls.gateway}/redeem#good-code`);
  await see(page, 'Grace Giver gave you 6 months of Daylift');
  await see(page, 'Be well,');
  await expectNoBarriers(page);
  await page.getByRole('link', { name: 'Sign Up and Start' }).click();
  await see(page, 'A gift from Grace Giver: 6 months, free.');
  await page.getByRole('complementary', { name: 'Your gift' }).waitFor();
  expect(await page.getByLabel('Promotion code').count()).toBe(0);
  await expectNoBarriers(page);
  await page.goto(`${pages.product.urls.gateway}/redeem#used-code`);
  await page.reload();
  await see(page, 'This gift has already been redeemed.');
  expect(urls.filter((url) => /good-code|used-code/.test(url.split('#')[0] ?? ''))).toEqual([]);
});

it('is bought, passed on and redeemed by a new subscriber without a card', async () => {
  const buyer = anEmail();
  const page = await pages.open('/gift');
  await page.getByLabel('Your name').fill('Grace Giver');
  await page.getByLabel('Your email').fill(buyer);
  await page.getByLabel('Message').fill('For your mornings');
  await press(page, 'Continue and Pay $14.97');
  await page.waitForURL(/\/c\/pay\/cs_test_/);
  await see(page, 'Buy Daylift, 3 months (gift)');
  for (const [label, value] of Object.entries({
    'Card number': '4242424242424242',
    'Expiry (MM/YY)': '12/40',
    CVC: '123',
    'Name on card': 'Grace',
  }))
    await page.getByLabel(label).fill(value);
  await press(page, 'Pay $14.97');
  await see(page, 'Thank you! Your gift is ready');
  const { product } = pages;
  const link = await eventually(async () => {
    const { body } = await product.sandbox<{ text: string }[]>(
      'GET',
      `/sandbox/emails?to=${encodeURIComponent(buyer)}`,
    );
    return /(\S+\/redeem#\S+)/.exec(body[0]?.text ?? '')?.[1];
  });
  const recipient = await pages.open('/privacy', {
    viewport: phone,
    expectComplaints: failedCall,
  });
  await recipient.goto(link);
  await see(recipient, 'Grace Giver gave you 3 months of Daylift');
  await recipient.getByRole('link', { name: 'Sign Up and Start' }).click();
  await reachPreferences(recipient, aVisitor());
  await recipient.getByRole('checkbox').check();
  await press(recipient, 'Start My Texts');
  await see(recipient, 'Your gift has started');
  await see(recipient, /Your texts are free until .+\. There's no card on file/);
  await expectNoSidewaysScroll(recipient);
  await page.goto(`${product.urls.gateway}/redeem?started`);
  await see(page, "This gift can't be opened");
  await recipient.goto(`${product.urls.gateway}/dashboard`);
  await see(recipient, 'Free texts');
  await recipient.goto(`${product.urls.gateway}/dashboard?tab=plan`);
  await see(recipient, /You have free texts until/);
  await see(recipient, 'Active Subscription');
  await see(recipient, 'Free texts');
  expect(await recipient.getByText('Price', { exact: true }).count()).toBe(0);
  await recipient.goto(link);
  await recipient.reload();
  await see(recipient, 'This gift has already been redeemed.');
});
