import { useEffect, useEffectEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';

/** What the command palette can open on a page. */
export type PageAction =
  | 'freeze'
  | 'resume'
  | 'add-subscriber'
  | 'schedule-message'
  | 'import-messages'
  | 'send-todays-message'
  | 'testing-mode'
  | 'run-scheduler'
  | 'process-queue';

export interface RequestedAction {
  action: PageAction;
}

/** Opens what the palette requested, once; a reload doesn't repeat it. */
export function useRequestedAction(open: Partial<Record<PageAction, () => void>>): void {
  const { state, pathname, search } = useLocation();
  const navigate = useNavigate();
  const requested = (state as RequestedAction | null)?.action;
  const take = useEffectEvent((action: PageAction) => {
    const run = open[action];
    if (run === undefined) return;
    void navigate({ pathname, search }, { replace: true, state: null, preventScrollReset: true });
    run();
  });
  useEffect(() => {
    if (requested !== undefined) take(requested);
  }, [requested]);
}
