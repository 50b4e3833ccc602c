import { LogoMark } from '@daylift/ui/Logo';
import classes from './LoadingPage.module.css';
import { SiteLayout } from './SiteLayout.tsx';

/** While the code of the first page is on its way. */
export const LoadingPage = () => (
  <SiteLayout>
    <p className={classes.loading} role="status">
      <LogoMark size={48} />
      <span>Loading...</span>
    </p>
  </SiteLayout>
);
