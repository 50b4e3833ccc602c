import { useEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Moves focus to a new page's content, unless an element kept it. */
export const usePageStart = (): void => {
  const { pathname } = useLocation();
  const way = useNavigationType();
  const shown = useRef(way === 'POP' ? pathname : null);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (way !== 'POP' && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname, way]);
};
