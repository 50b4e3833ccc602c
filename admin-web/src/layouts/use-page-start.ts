import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Scrolls to the top and moves focus on a new page, but not on a filter change or going back. */
export const usePageStart = (): void => {
  const { pathname, search, hash } = useLocation();
  const way = useNavigationType();
  const params = new URLSearchParams(search);
  const page = [pathname, params.get('tab'), params.get('view')].join(' ');
  const shown = useRef(way === 'POP' ? page : null);
  useEffect(() => {
    if (shown.current === page) return;
    shown.current = page;
    if (way === 'POP') return;
    if (hash === '') window.scrollTo({ top: 0, behavior: 'instant' });
    if (document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [page, way, hash]);
};
