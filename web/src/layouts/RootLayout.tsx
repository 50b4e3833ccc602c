import { useEffect, useRef } from 'react';
import { type Location, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';
import classes from './RootLayout.module.css';
import { SiteLayout } from './SiteLayout.tsx';

/** Moves focus to the top of a new page. */
const useFocusOnNewPage = (pathname: string) => {
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [pathname]);
};

/** Adds the path, because the first page of every document has the same key. */
const scrollKey = ({ pathname, key }: Location): string => `${pathname} ${key}`;

export const RootLayout = () => {
  const { pathname } = useLocation();
  useFocusOnNewPage(pathname);
  const busy = useNavigation().state !== 'idle';
  return (
    <SiteLayout at={pathname}>
      {busy ? <div className={classes.progress} role="progressbar" aria-label="Loading" /> : null}
      <Outlet />
      <ScrollRestoration getKey={scrollKey} />
    </SiteLayout>
  );
};
