import type { Me } from '@daylift/contracts/accounts.http';
import { CardSkeleton } from '@daylift/ui/Skeletons';
import { Tabs } from '@mantine/core';
import { type ComponentType, type LazyExoticComponent, lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { PageTitle } from '../components/PageTitle.tsx';
import { firstName } from '../session/current-user.ts';
import { ForSubscriber } from '../session/ForSubscriber.tsx';
import classes from './DashboardPage.module.css';

type TabView = LazyExoticComponent<ComponentType<{ user: Me }>>;

/** The tabs in their order. The code of each comes when it is first shown. */
const tabs: { name: string; label: string; View: TabView }[] = [
  {
    name: 'overview',
    label: 'Overview',
    View: lazy(async () => ({
      default: (await import('./dashboard/OverviewTab.tsx')).OverviewTab,
    })),
  },
  {
    name: 'settings',
    label: 'Settings',
    View: lazy(async () => ({
      default: (await import('./dashboard/SettingsTab.tsx')).SettingsTab,
    })),
  },
  {
    name: 'support',
    label: 'Support',
    View: lazy(async () => ({ default: (await import('./dashboard/SupportTab.tsx')).SupportTab })),
  },
  {
    name: 'referrals',
    label: 'Referrals',
    View: lazy(async () => ({
      default: (await import('./dashboard/ReferralsTab.tsx')).ReferralsTab,
    })),
  },
];
const firstTab = 'overview';

/** Which tab shows stands in the address, so that a reload and a link keep it. */
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

const Skeletons = () => (
  <div className={classes.skeletons}>
    <CardSkeleton lines={2} />
    <CardSkeleton lines={5} />
  </div>
);

const Dashboard = ({ user }: { user: Me }) => {
  const { tab, setTab } = useTab();
  return (
    <>
      <h1 className={classes.title}>Hello, {firstName(user)}</h1>
      <Tabs value={tab} onChange={setTab} keepMounted={false} classNames={{ tab: classes.tab }}>
        <Tabs.List mb="lg" aria-label="Dashboard" className={classes.tabs}>
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, View }) => (
          <Tabs.Panel key={name} value={name}>
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

/** The subscriber's own page. */
export const DashboardPage = () => (
  <div className={classes.page}>
    <PageTitle>Dashboard</PageTitle>
    <ForSubscriber loading={<Loading />}>{(user) => <Dashboard user={user} />}</ForSubscriber>
  </div>
);
