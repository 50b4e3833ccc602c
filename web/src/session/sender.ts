import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api.ts';
import { useToken } from './keep-session.ts';

/** Returns the number that the subscriber's texts come from and that accepts START. */
export const useSender = (): string | null => {
  const sender = apiQuery(['sender'], 'GET /users/me/sender');
  return useQuery({ ...sender, enabled: useToken() !== null }).data?.number ?? null;
};
