import { chooseFreePorts } from '../../local/ports.ts';
import type { ProcessName } from '../../local/processes.ts';
import { createProductClient } from '../product-client.ts';
import { startTestStack } from '../stack-for-test.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { doubled, type Workload } from './replicas.ts';

/** Processes involved from a text's release to its receipt. */
export const sendPipeline = ['gateway', 'sms-worker', 'sms-gateway', 'scheduler'] as const;
const services = [...sendPipeline.slice(1), 'accounts', 'billing', 'content'] as ProcessName[];

/** Starts the product with two replicas of everything, each service and the gateway behind a balancer. */
export async function startReplicatedStack(env: Record<string, string>) {
  const door = await startBalancer();
  const ports = await chooseFreePorts(services.length);
  const behind = new Map<ProcessName, Balancer>([['gateway', door]]);
  const urls: Record<string, string> = {};
  const portOf: Partial<Record<ProcessName, number>> = {};
  for (const [index, name] of services.entries()) {
    const balancer = await startBalancer();
    balancer.add(ports[index] ?? 0);
    portOf[name] = ports[index] ?? 0;
    urls[`${name.replace('-', '_').toUpperCase()}_URL`] = balancer.url;
    behind.set(name, balancer);
  }
  const running = await startTestStack(
    {
      ...urls,
      PUBLIC_URL: door.url,
      ALLOWED_ORIGINS: door.url,
      STRIPE_WEBHOOK_URL: `${door.url}/api/webhooks/stripe`,
      TELNYX_WEBHOOK_URL: `${door.url}/api/webhooks/telnyx/inbound`,
      ...env,
    },
    portOf,
  );
  const { stack } = running;
  door.add(Number(new URL(stack.urls.gateway).port));
  const workloads: Workload[] = [];
  const stop = async () => {
    await Promise.all(workloads.map((one) => one.stop()));
    await running.stop();
    await Promise.all([...behind.values()].map((one) => one.close()));
  };
  try {
    for (const [name, balancer] of behind) workloads.push(await doubled(stack, name, balancer));
  } catch (error) {
    await stop();
    throw error;
  }
  const product = createProductClient({ gateway: door.url, sandbox: stack.urls.sandbox });
  return { stack, product, workloads, stop };
}

export type ReplicatedStack = Awaited<ReturnType<typeof startReplicatedStack>>;
