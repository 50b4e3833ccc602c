import type { TextPrice } from '@daylift/contracts/sms.http';
import { Unavailable } from '@daylift/server/error';
import type { SchedulerDeps } from '../deps.ts';

/** Returns the price per part and the send rate. */
export async function readPrice({
  smsGateway,
}: Pick<SchedulerDeps, 'smsGateway'>): Promise<TextPrice> {
  const price = await smsGateway.get<TextPrice>('/internal/price');
  if (price === null)
    throw new Unavailable('The price of a text is unavailable right now. Please try again.');
  return price;
}
