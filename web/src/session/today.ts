import { localDateOf } from '@daylift/ui/formats';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';

/** Today in the subscriber's time zone; the device's date until the server responds. */
export const useToday = (timeZone: string): string => {
  const { data } = useQuery({
    queryKey: ['today', timeZone],
    queryFn: async ({ signal }) => (await call('GET /users/me/calendar', { signal })).today,
    retry: false,
  });
  return data ?? localDateOf(new Date().toISOString(), timeZone);
};
