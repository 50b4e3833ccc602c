import { createSmsApi } from '@daylift/api-client/sms';
import { useAction } from '@daylift/api-client/use-action';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { localDateOf } from '@daylift/ui/formats';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { accounts, call, client } from '../../api.ts';
import { useAskDeliveryAnew, useShowMe } from '../../session/update-me.ts';

const sms = createSmsApi(client);

/** `tell` says what it stands at now, also to somebody who has gone on to another tab. */
export const useToggleDelivery = (tell: (enabled: boolean) => void) => {
  const showMe = useShowMe();
  const askDeliveryAnew = useAskDeliveryAnew();
  return useAction({
    mutationFn: (enable: boolean) => accounts.toggleDelivery(enable),
    onSuccess: async ({ delivery_enabled }) => {
      await showMe({ delivery_enabled });
      askDeliveryAnew();
      tell(delivery_enabled);
    },
  });
};

export const useAskConsentAgain = () => useAction({ mutationFn: () => accounts.askConsentAgain() });

/** When the next text would come; without a change, when it comes as things stand. It only informs, so it tries once. */
export const previewQuery = (change: NextTextPreviewRequest) =>
  queryOptions({
    queryKey: ['next-text', 'preview', change],
    queryFn: ({ signal }) => call('POST /users/me/next-text/preview', { body: change, signal }),
    retry: false,
  });

/** The date on the subscriber's own calendar; by this device's clock until the service has told it. */
export const useToday = (timeZone: string): string => {
  const { data } = useQuery({
    queryKey: ['today', timeZone],
    queryFn: async ({ signal }) => (await sms.getCalendar(undefined, signal)).today,
    retry: false,
  });
  return data ?? localDateOf(new Date().toISOString(), timeZone);
};
