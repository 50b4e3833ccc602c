import type { SenderType } from '@daylift/contracts/senders.http';

export const senderTypes: Record<SenderType, string> = {
  toll_free: 'Toll-free',
  '10dlc': '10DLC',
  short_code: 'Short code',
  alphanumeric: 'Alphanumeric',
};
