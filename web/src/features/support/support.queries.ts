import { useAction } from '@daylift/api-client/use-action';
import type { SupportRequest } from '@daylift/contracts/accounts.http';
import { apiQuery, call } from '../../api.ts';

export const faqsQuery = apiQuery(['faqs'], 'GET /faqs');

/** `onDone` runs even if the user has left the page. */
export const useContactSupport = (onDone: () => void) =>
  useAction({
    mutationFn: (message: SupportRequest) => call('POST /support/contact', { body: message }),
    onSuccess: onDone,
  });
