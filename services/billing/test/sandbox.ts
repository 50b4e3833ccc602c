import { startTestSandbox, type TestSandbox } from '@daylift/testing/sandbox';

export const stripeKey = 'sk_test_billing';
export const webhookSecret = 'whsec_billing';

/** A sandbox; its payment records are the expected results of every test. */
export function startSandbox(options: {
  webhookUrl: string;
  clockStart: string;
}): Promise<TestSandbox> {
  const publicUrl = new URL(options.webhookUrl).origin;
  return startTestSandbox({
    CLOCK_START: options.clockStart,
    PUBLIC_URL: publicUrl,
    STRIPE_API_KEY: stripeKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_WEBHOOK_URL: options.webhookUrl,
    TELNYX_WEBHOOK_URL: `${publicUrl}/webhooks/telnyx/inbound`,
    SMS_FROM: '+13125550001',
  });
}
