import type { ReactNode } from 'react';
import { SiteFooter } from './SiteFooter.tsx';
import { SiteHeader } from './SiteHeader.tsx';
import classes from './SiteLayout.module.css';

/** Header, page and footer. `at` is the path. */
export const SiteLayout = ({ at, children }: { at?: string; children: ReactNode }) => (
  <div className={classes.site}>
    <SiteHeader at={at} />
    <main id="main" className={classes.main} tabIndex={-1}>
      {children}
    </main>
    <SiteFooter />
  </div>
);
