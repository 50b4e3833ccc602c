import { chooseColorScheme, readColorScheme, watchColorScheme } from '@daylift/ui/color-scheme';
import { Logo } from '@daylift/ui/Logo';
import { ActionIcon, Button, Container, Group, Tabs } from '@mantine/core';
import { IconLogout, IconMoon, IconSun } from '@tabler/icons-react';
import { Suspense, useEffect, useSyncExternalStore } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { useCatalogue } from '../catalogue.ts';
import { paths, readTab, type Tab, tabs } from '../paths.ts';
import { queryClient } from '../query-client.ts';
import { adminToken, useAdminToken } from '../session/token.ts';
import { views } from '../views.tsx';
import classes from './AdminLayout.module.css';
import { LoadingPage } from './LoadingPage.tsx';

/** A session that ended in another tab, or whose token was refused, leads back to the login. */
const useLeaveWithoutToken = () => {
  const token = useAdminToken();
  const navigate = useNavigate();
  useEffect(() => {
    if (token !== null) return;
    queryClient.clear();
    navigate(paths.login, { replace: true });
  }, [token, navigate]);
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

/** The tab under which the present address lies; a page of one subscriber lies under none. */
const useTab = (): Tab | null => {
  const { pathname, search } = useLocation();
  return pathname === paths.dashboard ? readTab(new URLSearchParams(search).get('tab')) : null;
};

export const AdminLayout = () => {
  useLeaveWithoutToken();
  const name = useCatalogue()?.product_name;
  const navigate = useNavigate();
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.header}>
        <Container size="xl" className={classes.bar}>
          <Logo name={name ? `${name} Admin` : undefined} />
          <Group gap="xs" wrap="nowrap">
            <ColorSchemeButton />
            <Button
              variant="default"
              size="sm"
              h={44}
              leftSection={<IconLogout size={18} aria-hidden />}
              onClick={adminToken.clear}
            >
              Logout
            </Button>
          </Group>
        </Container>
        <Container size="xl" className={classes.tabs}>
          <Tabs value={useTab()} onChange={(value) => navigate(paths.tab(readTab(value)))}>
            <Tabs.List style={{ flexWrap: 'nowrap' }} aria-label="Sections">
              {tabs.map((one) => {
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
      <Container id="main" size="xl" component="main" className={classes.main} tabIndex={-1}>
        <Suspense fallback={<LoadingPage />}>
          <Outlet />
        </Suspense>
      </Container>
    </>
  );
};
