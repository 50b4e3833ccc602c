import { chooseColorScheme, readColorScheme, watchColorScheme } from '@daylift/ui/color-scheme';
import { Logo } from '@daylift/ui/Logo';
import { ActionIcon, Alert } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { Link, Navigate, Outlet, ScrollRestoration, useLocation, useNavigate } from 'react-router';
import { call } from '../api.ts';
import { useCatalogue } from '../catalogue.ts';
import { HeaderButton } from '../components/HeaderButton.tsx';
import { FreezeButton } from '../features/freeze/FreezeButton.tsx';
import { SendingBanners } from '../features/freeze/SendingBanners.tsx';
import { TestingModeBanner } from '../features/sms-system/TestingModeBanner.tsx';
import { LiveIndicator } from '../live/LiveIndicator.tsx';
import { useLive } from '../live/use-live.ts';
import { paths } from '../paths.ts';
import { queryClient } from '../query-client.ts';
import { adminToken, useAdminToken } from '../session/token.ts';
import { adminQuery } from '../session/use-admin.ts';
import classes from './AdminLayout.module.css';
import { RowNavigation, SideNavigation } from './Navigation.tsx';
import { SearchButton } from './palette/SearchButton.tsx';
import { usePageStart } from './use-page-start.ts';
import { useTopHeight } from './use-top-height.ts';

/** Redirects to the login when the session ends here or in another tab. */
const useLeaveWithoutToken = () => {
  const token = useAdminToken();
  const navigate = useNavigate();
  useEffect(() => {
    if (token === null) navigate(paths.login, { replace: true });
  }, [token, navigate]);
  // Clear the cache only after unmounting, or visible queries would refetch.
  useEffect(() => () => queryClient.clear(), []);
};

/** Removes the token immediately, without waiting for the logout call. */
const logOut = (): void => {
  void call('POST /admin/logout', { keepalive: true }).catch(() => null);
  adminToken.clear();
};

const ColorSchemeButton = () => {
  const scheme = useSyncExternalStore(watchColorScheme, readColorScheme, () => 'light' as const);
  const next = scheme === 'dark' ? 'light' : 'dark';
  const label = next === 'dark' ? 'Dark mode' : 'Light mode';
  return (
    <ActionIcon
      variant="subtle"
      size={44}
      aria-label={label}
      title={label}
      onClick={() => chooseColorScheme(next)}
    >
      {next === 'dark' ? <IconMoon size={20} /> : <IconSun size={20} />}
    </ActionIcon>
  );
};

/** Returns whether two-step sign-in must be set up before anything else; undefined while loading. */
const useLocked = (): boolean | undefined => {
  const { data: own } = useQuery(adminQuery);
  return own === undefined ? undefined : own.totp_required && !own.totp_enabled;
};

const TwoStepRequired = () => {
  const { pathname } = useLocation();
  if (pathname !== paths.account) return <Navigate to={paths.account} replace />;
  return (
    <Alert mb="lg" color="yellow" title="Set up two-step sign-in to continue">
      Two-step sign-in is required for all admins.
    </Alert>
  );
};

export const AdminLayout = () => {
  useLeaveWithoutToken();
  const name = useCatalogue()?.product_name;
  const locked = useLocked();
  useLive(locked === false);
  usePageStart();
  const top = useTopHeight();
  const isNarrow = useMediaQuery('(max-width: 62em)', false, { getInitialValueInEffect: false });
  const logo = (
    <div className={classes.logo}>
      <Logo name={name ? `${name} Admin` : undefined} />
    </div>
  );
  return (
    <div className={classes.shell}>
      <ScrollRestoration />
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {isNarrow ? null : (
        <aside className={classes.side}>
          {logo}
          {locked ? null : <SideNavigation />}
        </aside>
      )}
      <div>
        <div ref={top} className={classes.top} data-sticky-top>
          <header className={classes.header}>
            <div className={classes.bar}>
              {isNarrow ? logo : null}
              {locked ? null : <SearchButton />}
              <LiveIndicator />
              <div className={classes.buttons}>
                <FreezeButton />
                <ColorSchemeButton />
                <ActionIcon
                  component={Link}
                  to={paths.account}
                  variant="subtle"
                  size={44}
                  aria-label="Account"
                  title="Account"
                >
                  <IconUserCircle size={20} />
                </ActionIcon>
                <HeaderButton
                  icon={<IconLogout size={18} aria-hidden />}
                  word="Logout"
                  onClick={logOut}
                />
              </div>
            </div>
            {isNarrow && !locked ? <RowNavigation /> : null}
          </header>
          <SendingBanners />
          <TestingModeBanner />
        </div>
        <main id="main" className={classes.main} tabIndex={-1}>
          {locked ? <TwoStepRequired /> : null}
          <Outlet />
        </main>
      </div>
    </div>
  );
};
