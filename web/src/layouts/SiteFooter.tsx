import { Logo } from '@daylift/ui/Logo';
import { useCatalogue } from '../catalogue.ts';
import { AppLink } from '../components/AppLink.tsx';
import { paths } from '../paths.ts';
import { ColorSchemeButton } from './ColorSchemeButton.tsx';
import classes from './SiteFooter.module.css';

export const SiteFooter = () => {
  const name = useCatalogue()?.product_name;
  return (
    <footer className={classes.footer}>
      <div className={classes.inner}>
        <div className={classes.brand}>
          <Logo name={name} size={28} />
          <p className={classes.small}>
            Message frequency as you choose: daily or weekly. Msg &amp; data rates may apply. Reply
            STOP to stop, HELP for help.
          </p>
        </div>
        <nav className={classes.links} aria-label="Footer">
          <AppLink href={paths.privacy}>Privacy Policy</AppLink>
          <AppLink href={paths.terms}>Terms of Service</AppLink>
          <AppLink href={paths.contact}>Contact</AppLink>
          <ColorSchemeButton />
        </nav>
      </div>
    </footer>
  );
};
