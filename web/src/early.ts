/**
 * Runs before first paint, so it has no imports and stays tiny. Sets light or dark mode. On a prerendered page it
 * loads the app on the first interaction, or some time after the load event. Clicks and submits made before
 * hydration are queued for the app; the browser never submits a form by itself.
 */
interface Early {
  /** Stops queueing and returns the queued events in order. */
  handOver: () => { element: HTMLElement; pressed: 'button' | 'submit' }[];
}

declare global {
  interface Window {
    early?: Early;
  }
}

{
  const restMs = 3000;
  const signs = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin', 'scroll'];
  const stored = (key: string): string | null => {
    try {
      return window.localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const choice = stored('mantine-color-scheme-value');
  const isDark = window.matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.setAttribute(
    'data-mantine-color-scheme',
    choice === 'light' || choice === 'dark' ? choice : isDark ? 'dark' : 'light',
  );

  const { app, parts } = document.currentScript?.dataset ?? {};
  if (app !== undefined) {
    const held: ReturnType<Early['handOver']> = [];
    const holdSubmit = (event: SubmitEvent) => {
      event.preventDefault();
      held.push({ element: event.target as HTMLElement, pressed: 'submit' });
    };
    const holdClick = ({ target }: MouseEvent) => {
      const button = (target as Element).closest('button');
      if (button && button.type !== 'submit') held.push({ element: button, pressed: 'button' });
    };
    document.addEventListener('submit', holdSubmit, true);
    document.addEventListener('click', holdClick, true);
    window.early = {
      handOver: () => {
        document.removeEventListener('submit', holdSubmit, true);
        document.removeEventListener('click', holdClick, true);
        return held;
      },
    };

    const wake = () => {
      for (const sign of signs) document.removeEventListener(sign, wake, true);
      if (document.querySelector('script[data-awake]')) return;
      const script = document.createElement('script');
      script.type = 'module';
      script.src = app;
      script.dataset.awake = '';
      document.head.append(script);
    };
    const fetchAhead = () => {
      for (const href of [app, ...(parts ?? '').split(' ').filter(Boolean)]) {
        const link = document.createElement('link');
        link.rel = 'modulepreload';
        link.href = href;
        document.head.append(link);
      }
    };
    for (const sign of signs)
      document.addEventListener(sign, wake, { capture: true, passive: true });
    // Don't flash the login page to a signed-in user.
    if (stored('user_token') !== null) document.addEventListener('DOMContentLoaded', wake);
    window.addEventListener('load', () => {
      fetchAhead();
      setTimeout(wake, restMs);
    });
  }
}

export {};
