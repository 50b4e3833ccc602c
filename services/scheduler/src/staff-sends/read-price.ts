import type { TextPrice } from '@daylift/contracts/sms.http';
import { Unavailable } from '@daylift/server/error';
import type { SchedulerDeps } from '../deps.ts';

/** What a part costs, and how many texts leave in a second. */
export async function readPrice({
  smsGateway,
}: Pick<SchedulerDeps, 'smsGateway'>): Promise<TextPrice> {
  const price = await smsGateway.get<TextPrice>('/internal/price');
  if (price === null)
    throw new Unavailable('The price of a text can’t be read right now. Please try again.');
  return price;
}
