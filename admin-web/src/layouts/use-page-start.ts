import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** A new page begins at its top, for the keyboard too. Another filter of a list is no new page, and back keeps the place. */
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
