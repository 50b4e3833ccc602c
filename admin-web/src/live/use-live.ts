import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { adminToken, useAdminToken } from '../session/token.ts';
import { adminQuery } from '../session/use-admin.ts';
import { followLive } from './follow-live.ts';
import { createPutFigures } from './put-figures.ts';

/** One connection for all figures of this window, as long as somebody is signed in who may look. */
export const useLive = (mayLook: boolean): void => {
  const token = useAdminToken();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (token === null || !mayLook) return;
    const onRefused = (code: string) => {
      if (code === 'FORBIDDEN') adminToken.clear();
      // Something has to be done first, such as a second step; the layout says what.
      else void queryClient.invalidateQueries({ queryKey: adminQuery.queryKey });
    };
    return followLive({ put: createPutFigures(queryClient), onRefused });
  }, [token, queryClient, mayLook]);
};
