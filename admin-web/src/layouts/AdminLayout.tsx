import { chooseColorScheme, readColorScheme, watchColorScheme } from '@daylift/ui/color-scheme';
import { Logo } from '@daylift/ui/Logo';
import { ActionIcon, Button, Container, Group, Tabs } from '@mantine/core';
import {
  IconCalendarEvent,
  IconDeviceMobileMessage,
  IconLayoutDashboard,
  IconLogout,
  IconMoon,
  IconSun,
  IconUsers,
} from '@tabler/icons-react';
import { type ReactElement, useEffect, useSyncExternalStore } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCatalogue } from '../catalogue.ts';
import { DashboardTab } from '../features/analytics/DashboardTab.tsx';
import { MessagesTab } from '../features/scheduled-messages/MessagesTab.tsx';
import { SmsSystemTab } from '../features/sms-system/SmsSystemTab.tsx';
import { SubscribersTab } from '../features/subscribers/SubscribersTab.tsx';
import { paths, type Tab, tabs } from '../paths.ts';
import { queryClient } from '../query-client.ts';
import { adminToken, useAdminToken } from '../session/token.ts';
import classes from './AdminLayout.module.css';

const views: Record<Tab, { label: string; icon: ReactElement; page: ReactElement }> = {
  dashboard: {
    label: 'Dashboard',
    icon: <IconLayoutDashboard size={18} />,
    page: <DashboardTab />,
  },
  subscribers: { label: 'Subscribers', icon: <IconUsers size={18} />, page: <SubscribersTab /> },
  messages: { label: 'Messages', icon: <IconCalendarEvent size={18} />, page: <MessagesTab /> },
  sms: { label: 'SMS System', icon: <IconDeviceMobileMessage size={18} />, page: <SmsSystemTab /> },
};

const readTab = (value: string | null): Tab => tabs.find((tab) => tab === value) ?? 'dashboard';

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

export const AdminLayout = () => {
  useLeaveWithoutToken();
  const name = useCatalogue()?.product_name;
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const tab = readTab(search.get('tab'));
  return (
    <Tabs value={tab} onChange={(value) => navigate(paths.tab(readTab(value)))} keepMounted={false}>
      <title>{`${views[tab].label} · ${name ?? ''} Admin`}</title>
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
          <Tabs.List style={{ flexWrap: 'nowrap' }}>
            {tabs.map((one) => (
              <Tabs.Tab key={one} value={one} leftSection={views[one].icon} fz="md" h={44}>
                {views[one].label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Container>
      </header>
      <Container id="main" size="xl" component="main" className={classes.main} tabIndex={-1}>
        {tabs.map((one) => (
          <Tabs.Panel key={one} value={one}>
            {views[one].page}
          </Tabs.Panel>
        ))}
      </Container>
    </Tabs>
  );
};
