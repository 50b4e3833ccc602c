import type { ServiceName } from '@daylift/contracts/endpoint';
import type { ReadinessChecks } from '@daylift/server/health';
import type { GatewayConfig } from './config.ts';

export type Service = Exclude<ServiceName, 'gateway'>;
export type UpstreamUrls = Record<Service, string>;

export const upstreamUrls = (config: GatewayConfig): UpstreamUrls => ({
  accounts: config.ACCOUNTS_URL,
  billing: config.BILLING_URL,
  content: config.CONTENT_URL,
  scheduler: config.SCHEDULER_URL,
  'sms-gateway': config.SMS_GATEWAY_URL,
});

/** The product is ready when every part of it is. */
export function upstreamReadiness(urls: Record<string, string>): ReadinessChecks {
  return Object.fromEntries(
    Object.entries(urls).map(([name, url]) => [
      name,
      async () => {
        const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_800) });
        await response.body?.cancel();
        if (!response.ok) throw new Error(`responded with ${response.status}`);
      },
    ]),
  );
}
