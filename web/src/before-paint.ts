import { readCommunityCount } from './features/landing/community-counter.ts';

/**
 * Runs before first paint, so it stays tiny and shares no module with the app. Sets light or dark mode and what
 * prerendered pages can't know: the visitor's count, and whether a checkout is open. On a prerendered page it loads
 * the app on the first interaction, or some time after the load event. Buttons pressed before hydration look busy and
 * are queued for the app; the browser never submits a form by itself.
 */
interface InputQueue {
  /** Stops queueing and returns the pressed buttons in order. */
  take: () => HTMLElement[];
}

declare global {
  interface Window {
    inputQueue?: InputQueue;
    readCommunityCount?: () => number;
  }
}

{
  const maxIdleMs = 3000;
  const interactions = ['pointerdown', 'pointermove', 'touchstart', 'keydown', 'focusin', 'scroll'];
  const stored = (key: string, lasting: 'device' | 'tab' = 'device'): string | null => {
    try {
      return (lasting === 'tab' ? window.sessionStorage : window.localStorage).getItem(key);
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

  let count: number | undefined;
  window.readCommunityCount = () => {
    count ??= readCommunityCount();
    return count;
  };
  document.addEventListener('DOMContentLoaded', () => {
    const place = document.querySelector('[data-community-count]');
    if (place) place.textContent = window.readCommunityCount!().toLocaleString('en-US');
  });

  const { app, parts } = document.currentScript?.dataset ?? {};
  if (app !== undefined) {
    const queued = new Set<HTMLElement>();
    const queue = (button: HTMLElement) => {
      button.ariaBusy = 'true';
      queued.add(button);
      loadApp();
    };
    const queueSubmit = (event: SubmitEvent) => {
      event.preventDefault();
      if (event.submitter) queue(event.submitter);
    };
    const queueClick = ({ target }: MouseEvent) => {
      const button = (target as Element).closest('button');
      // A click on a submit button counts only if the form is valid.
      if (button && button.type !== 'submit') queue(button);
    };
    document.addEventListener('submit', queueSubmit, true);
    document.addEventListener('click', queueClick, true);
    window.inputQueue = {
      take: () => {
        document.removeEventListener('submit', queueSubmit, true);
        document.removeEventListener('click', queueClick, true);
        return [...queued];
      },
    };

    const loadApp = () => {
      for (const type of interactions) document.removeEventListener(type, loadApp, true);
      if (document.querySelector('script[data-hydrate]')) return;
      const script = document.createElement('script');
      script.type = 'module';
      script.src = app;
      script.dataset.hydrate = '';
      // The button can be pressed again.
      script.onerror = () => {
        script.remove();
        for (const button of queued) button.ariaBusy = null;
        queued.clear();
        loadOnInteraction();
      };
      document.head.append(script);
    };
    const preload = () => {
      for (const href of [app, ...(parts ?? '').split(' ').filter(Boolean)]) {
        const link = document.createElement('link');
        link.rel = 'modulepreload';
        link.href = href;
        document.head.append(link);
      }
    };
    const loadOnInteraction = () => {
      for (const type of interactions)
        document.addEventListener(type, loadApp, { capture: true, passive: true });
    };
    loadOnInteraction();
    const isResuming = location.pathname === '/signup' && stored('pending_signup', 'tab') !== null;
    // Instead of an empty form; the app removes it.
    if (isResuming) document.documentElement.dataset.resuming = '';
    // Don't flash the login page to a signed-in user.
    if (isResuming || stored('user_token') !== null)
      document.addEventListener('DOMContentLoaded', loadApp);
    window.addEventListener('load', () => {
      // The load event can precede the first paint, which would then share the connection with the app.
      requestAnimationFrame(() => requestAnimationFrame(preload));
      setTimeout(loadApp, maxIdleMs);
    });
  }
}
