import { LogoMark } from '@daylift/ui/Logo';
import classes from './LoadingPage.module.css';
import { SiteLayout } from './SiteLayout.tsx';

/** Shown while the first page's code loads. */
export const LoadingPage = () => (
  <SiteLayout>
    <p className={classes.loading} role="status">
      <LogoMark size={48} />
      <span>Loading...</span>
    </p>
  </SiteLayout>
);
