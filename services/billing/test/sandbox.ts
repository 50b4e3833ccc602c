import { type SandboxProcess, startSandboxProcess } from '@daylift/testing/sandbox-process';

export const stripeKey = 'sk_test_billing';
export const webhookSecret = 'whsec_billing';

/** The sandbox as a process; its payment records are the expected results of every test. */
export function startSandbox(options: {
  webhookUrl: string;
  clockStart: string;
}): Promise<SandboxProcess> {
  const publicUrl = new URL(options.webhookUrl).origin;
  return startSandboxProcess({
    CLOCK_START: options.clockStart,
    PUBLIC_URL: publicUrl,
    STRIPE_API_KEY: stripeKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_WEBHOOK_URL: options.webhookUrl,
    TELNYX_WEBHOOK_URL: `${publicUrl}/webhooks/telnyx/inbound`,
    SMS_FROM: '+13125550001',
  });
}
