import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adminToken, useAdminToken } from '../session/token.ts';
import { followLive } from './follow-live.ts';
import { createPutFigures } from './put-figures.ts';

/** One connection for all figures of this window, as long as somebody is signed in. */
export const useLive = (): void => {
  const token = useAdminToken();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (token === null) return;
    return followLive({ put: createPutFigures(queryClient), onRefused: adminToken.clear });
  }, [token, queryClient]);
};
