import { useAction } from '@daylift/api-client/use-action';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { apiQuery, call } from '../../api.ts';
import { useRefreshDelivery, useShowMe } from '../../session/update-me.ts';

/** `onDone` runs even if the user has left the tab. */
export const useToggleDelivery = (onDone: (enabled: boolean) => void) => {
  const showMe = useShowMe();
  const refreshDelivery = useRefreshDelivery();
  return useAction({
    mutationFn: (enable: boolean) => call('POST /users/me/toggle-delivery', { query: { enable } }),
    onSuccess: async ({ delivery_enabled }) => {
      await showMe({ delivery_enabled });
      refreshDelivery();
      onDone(delivery_enabled);
    },
  });
};

export const useResendConsentRequest = () =>
  useAction({ mutationFn: () => call('POST /users/me/consent-request') });

/** The next text after a change, or as things are. Informational, so it isn't retried. */
export const previewQuery = (change: NextTextPreviewRequest) => ({
  ...apiQuery(['next-text', 'preview', change], 'POST /users/me/next-text/preview', {
    body: change,
  }),
  retry: false,
});
