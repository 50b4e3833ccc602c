import { chooseColorScheme, readColorScheme, watchColorScheme } from '@daylift/ui/color-scheme';
import { Logo } from '@daylift/ui/Logo';
import { ActionIcon, Alert, Button, Container, Group, Tabs } from '@mantine/core';
import { IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { call } from '../api.ts';
import { useCatalogue } from '../catalogue.ts';
import { FreezeButton } from '../features/freeze/FreezeButton.tsx';
import { SendingBanners } from '../features/freeze/SendingBanners.tsx';
import { TestingModeBanner } from '../features/sms-system/TestingModeBanner.tsx';
import { LiveIndicator } from '../live/LiveIndicator.tsx';
import { useLive } from '../live/use-live.ts';
import { paths, readTab, type Tab, tabs } from '../paths.ts';
import { queryClient } from '../query-client.ts';
import { adminToken, useAdminToken } from '../session/token.ts';
import { adminQuery, useMay } from '../session/use-admin.ts';
import { views } from '../views.tsx';
import classes from './AdminLayout.module.css';
import { LoadingPage } from './LoadingPage.tsx';
import { useChosenInSight } from './use-chosen-in-sight.ts';
import { usePageStart } from './use-page-start.ts';

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
  return (
    <ActionIcon
      variant="subtle"
      size={44}
      aria-label={next === 'dark' ? 'Dark mode' : 'Light mode'}
      onClick={() => chooseColorScheme(next)}
    >
      {next === 'dark' ? <IconMoon size={20} /> : <IconSun size={20} />}
    </ActionIcon>
  );
};

/** Returns the current tab, or null on a page without one. */
const useTab = (): Tab | null => {
  const { pathname, search } = useLocation();
  return pathname === paths.dashboard ? readTab(new URLSearchParams(search).get('tab')) : null;
};

/** Returns whether two-step sign-in must be set up before anything else; undefined while loading. */
const useLocked = (): boolean | undefined => {
  const { data: own } = useQuery(adminQuery);
  return own === undefined ? undefined : own.totp_required && !own.totp_enabled;
};

const ownersTabs = new Set<Tab>(['admins', 'audit']);

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
  const navigate = useNavigate();
  const locked = useLocked();
  useLive(locked === false);
  usePageStart();
  const tab = useTab();
  const isOwner = useMay('owner');
  const open = tabs.filter((one) => isOwner || !ownersTabs.has(one));
  const strip = useChosenInSight(open.find((one) => one === tab) ?? null);
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.header}>
        <Container size="xl" className={classes.bar}>
          <Logo name={name ? `${name} Admin` : undefined} />
          <LiveIndicator />
          <Group gap="xs" wrap="nowrap">
            <FreezeButton />
            <ColorSchemeButton />
            <ActionIcon
              component={Link}
              to={paths.account}
              variant="subtle"
              size={44}
              aria-label="Account"
            >
              <IconUserCircle size={20} />
            </ActionIcon>
            <Button
              variant="default"
              size="sm"
              h={44}
              leftSection={<IconLogout size={18} aria-hidden />}
              classNames={{ section: classes.icon }}
              onClick={logOut}
            >
              <span className={classes.word}>Logout</span>
            </Button>
          </Group>
        </Container>
        <Container ref={strip} size="xl" className={classes.tabs} hidden={locked}>
          <Tabs value={tab} onChange={(value) => navigate(paths.tab(readTab(value)))}>
            <Tabs.List style={{ flexWrap: 'nowrap' }} aria-label="Sections">
              {open.map((one) => {
                const { label, icon, Count } = views[one];
                return (
                  <Tabs.Tab
                    key={one}
                    value={one}
                    leftSection={icon}
                    rightSection={Count ? <Count /> : null}
                    fz="md"
                    h={44}
                    aria-controls="main"
                  >
                    {label}
                  </Tabs.Tab>
                );
              })}
            </Tabs.List>
          </Tabs>
        </Container>
      </header>
      <SendingBanners />
      <TestingModeBanner />
      <Container id="main" size="xl" component="main" className={classes.main} tabIndex={-1}>
        {locked ? <TwoStepRequired /> : null}
        <Suspense fallback={<LoadingPage />}>
          <Outlet />
        </Suspense>
      </Container>
    </>
  );
};
