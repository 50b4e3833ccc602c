import type { Me } from '@daylift/contracts/accounts.http';
import { CardSkeleton } from '@daylift/ui/Skeletons';
import { Tabs } from '@mantine/core';
import { type ComponentType, lazy, Suspense, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { PageTitle } from '../components/PageTitle.tsx';
import { UnreachableBanner } from '../features/delivery-settings/UnreachableBanner.tsx';
import { HoldBanner } from '../features/plan/HoldBanner.tsx';
import { OwedBanner } from '../features/plan/OwedBanner.tsx';
import { firstName } from '../session/current-user.ts';
import { ForSubscriber } from '../session/ForSubscriber.tsx';
import { TextsOffBanner } from '../session/TextsOff.tsx';
import classes from './DashboardPage.module.css';

interface Tab {
  name: string;
  label: string;
  load: () => Promise<{ default: ComponentType<{ user: Me }> }>;
}

/** The tabs, each with its own code chunk. */
const tabs = [
  {
    name: 'overview',
    label: 'Overview',
    load: async () => ({ default: (await import('./dashboard/OverviewTab.tsx')).OverviewTab }),
  },
  {
    name: 'plan',
    label: 'Plan',
    load: async () => ({ default: (await import('./dashboard/PlanTab.tsx')).PlanTab }),
  },
  {
    name: 'settings',
    label: 'Settings',
    load: async () => ({ default: (await import('./dashboard/SettingsTab.tsx')).SettingsTab }),
  },
  {
    name: 'support',
    label: 'Support',
    load: async () => ({ default: (await import('./dashboard/SupportTab.tsx')).SupportTab }),
  },
  {
    name: 'referrals',
    label: 'Referrals',
    load: async () => ({ default: (await import('./dashboard/ReferralsTab.tsx')).ReferralsTab }),
  },
].map((tab: Tab) => ({ ...tab, View: lazy(tab.load) }));
const firstTab = 'overview';

/** The tab is in the URL, so reloads and links keep it. */
const useTab = () => {
  const [search, setSearch] = useSearchParams();
  const tab = tabs.find(({ name }) => name === search.get('tab'))?.name ?? firstTab;
  const setTab = (next: string | null) =>
    setSearch(next === firstTab || next === null ? {} : { tab: next }, {
      replace: true,
      preventScrollReset: true,
    });
  return { tab, setTab };
};

/** Preloads the other tabs' code, so they open instantly and offline. */
const useTabsAhead = () =>
  useEffect(() => {
    for (const { load } of tabs) load().catch(() => undefined);
  }, []);

/** A link to another tab disappears with its own tab, so the focus and the view move to the new panel. */
const useFocusedPanel = (tab: string) => {
  const panel = useRef<HTMLDivElement>(null);
  const shown = useRef(tab);
  useEffect(() => {
    if (shown.current !== tab && document.activeElement === document.body) panel.current?.focus();
    shown.current = tab;
  }, [tab]);
  return panel;
};

const Skeletons = () => (
  <div className={classes.skeletons}>
    <CardSkeleton lines={2} />
    <CardSkeleton lines={5} />
  </div>
);

const Dashboard = ({ user }: { user: Me }) => {
  const { tab, setTab } = useTab();
  const panel = useFocusedPanel(tab);
  useTabsAhead();
  return (
    <>
      <h1 className={classes.title}>Hello, {firstName(user)}</h1>
      <div className={classes.banners}>
        <TextsOffBanner user={user} />
        <UnreachableBanner user={user} />
        {tab === 'plan' ? null : (
          <>
            <OwedBanner user={user} />
            <HoldBanner user={user} />
          </>
        )}
      </div>
      <Tabs value={tab} onChange={setTab} keepMounted={false} classNames={{ tab: classes.tab }}>
        <Tabs.List mb="lg" aria-label="Dashboard" className={classes.tabs}>
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, View }) => (
          <Tabs.Panel key={name} value={name} ref={name === tab ? panel : undefined} tabIndex={-1}>
            <Suspense fallback={<Skeletons />}>
              <View user={user} />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
};

const Loading = () => (
  <>
    <div role="status">
      <h1 className={classes.title}>Loading your dashboard...</h1>
    </div>
    <Skeletons />
  </>
);

export const DashboardPage = () => (
  <div className={classes.page}>
    <PageTitle>Dashboard</PageTitle>
    <ForSubscriber loading={<Loading />}>{(user) => <Dashboard user={user} />}</ForSubscriber>
  </div>
);
