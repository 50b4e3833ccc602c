import { createSchedulerApi } from '@daylift/api-client/scheduler';
import { createSmsApi } from '@daylift/api-client/sms';
import type { UpdateMeRequest } from '@daylift/contracts/accounts.http';
import type { NextTextPreviewRequest } from '@daylift/contracts/scheduler.http';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { accounts, client } from '../../api.ts';
import { useAction } from '../../components/use-action.ts';
import { currentUserQuery } from '../../session/current-user.ts';

const scheduler = createSchedulerApi(client);
const sms = createSmsApi(client);

/** Saves and shows what the service made of it; the next text may have moved. */
export const useUpdateMe = () => {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (change: UpdateMeRequest) => accounts.updateMe(change),
    onSuccess: (user) => {
      queries.setQueryData(currentUserQuery.queryKey, user);
      queries.invalidateQueries({ queryKey: ['next-text'] });
    },
  });
};

export const useToggleDelivery = () => {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (enable: boolean) => accounts.toggleDelivery(enable),
    onSuccess: ({ delivery_enabled }) => {
      queries.setQueryData(currentUserQuery.queryKey, (me) => me && { ...me, delivery_enabled });
      queries.invalidateQueries({ queryKey: ['next-text'] });
    },
  });
};

export const useAskConsentAgain = () => useAction({ mutationFn: () => accounts.askConsentAgain() });

/** When the next text would come; without a change, when it comes as things stand. It only informs, so it tries once. */
export const previewQuery = (change: NextTextPreviewRequest) =>
  queryOptions({
    queryKey: ['next-text', 'preview', change],
    queryFn: ({ signal }) => scheduler.previewNextText(change, signal),
    retry: false,
  });

/** The date on the subscriber's own calendar; by this device's clock until the service has told it. */
export const useToday = (timeZone: string): string => {
  const { data } = useQuery({
    queryKey: ['today', timeZone],
    queryFn: async ({ signal }) => (await sms.getCalendar(undefined, signal)).today,
    retry: false,
  });
  return data ?? new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
};
