import { Logo } from '@daylift/ui/Logo';
import { useCatalogue } from '../catalogue.ts';
import { AppLink } from '../components/AppLink.tsx';
import { LinkButton } from '../components/LinkButton.tsx';
import { paths } from '../paths.ts';
import { firstName, signOut, useSession } from '../session/current-user.ts';
import classes from './SiteHeader.module.css';

/** Other pages have their own main button. */
const leadsToSignup = (path: string | undefined): boolean =>
  path === paths.home || path === paths.privacy || path === paths.terms;

const SignedIn = ({ name }: { name: string | undefined }) => (
  <>
    {name ? <span className={classes.who}>{name}</span> : null}
    <LinkButton look="quiet" size="small" href={paths.dashboard}>
      Dashboard
    </LinkButton>
    <button type="button" className={classes.signOut} onClick={signOut}>
      Sign Out
    </button>
  </>
);

const SignedOut = ({ at }: { at: string | undefined }) => {
  const ariaCurrent = (path: string) => (at === path ? 'page' : undefined);
  return (
    <>
      <LinkButton
        look="bare"
        size="small"
        href={paths.login}
        aria-current={ariaCurrent(paths.login)}
      >
        Sign In
      </LinkButton>
      <LinkButton
        look={leadsToSignup(at) ? 'call' : 'quiet'}
        size="small"
        href={paths.signup}
        aria-current={ariaCurrent(paths.signup)}
      >
        Start Free Trial
      </LinkButton>
    </>
  );
};

/** Site header; the links depend on whether the user is signed in. */
export const SiteHeader = ({ at }: { at?: string }) => {
  const name = useCatalogue()?.product_name;
  const { signedIn, user } = useSession();
  return (
    <header className={classes.header}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <div className={classes.bar}>
        <AppLink
          href={paths.home}
          className={classes.home}
          aria-label={`${name ?? ''} Home`.trim()}
        >
          <Logo name={name} />
        </AppLink>
        <nav className={classes.nav} aria-label="Main">
          {signedIn ? (
            <SignedIn name={user ? firstName(user) : undefined} />
          ) : (
            <SignedOut at={at} />
          )}
        </nav>
      </div>
    </header>
  );
};
