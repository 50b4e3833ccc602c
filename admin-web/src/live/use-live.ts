import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adminToken, useAdminToken } from '../session/token.ts';
import { adminQuery } from '../session/use-admin.ts';
import { followLive } from './follow-live.ts';
import { createPutFigures } from './put-figures.ts';

/** One live connection per window while an admin is signed in. */
export const useLive = (enabled: boolean): void => {
  const token = useAdminToken();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (token === null || !enabled) return;
    const onRefused = (code: string) => {
      if (code === 'FORBIDDEN') adminToken.clear();
      // Such as when two-step sign-in must be set up first, which the layout then shows.
      else void queryClient.invalidateQueries({ queryKey: adminQuery.queryKey });
    };
    return followLive({ put: createPutFigures(queryClient), onRefused });
  }, [token, queryClient, enabled]);
};
