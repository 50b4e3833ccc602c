import { describeError } from '@daylift/api-client/errors';
import type { Me } from '@daylift/contracts/accounts.http';
import { ErrorState } from '@daylift/ui/ErrorState';
import { CardSkeleton } from '@daylift/ui/Skeletons';
import { Tabs } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useSearchParams } from 'react-router';
import { PageTitle } from '../components/PageTitle.tsx';
import { paths } from '../paths.ts';
import { currentUserQuery, firstName } from '../session/current-user.ts';
import { useToken } from '../session/token.ts';
import classes from './DashboardPage.module.css';
import { OverviewTab } from './dashboard/OverviewTab.tsx';
import { SettingsTab } from './dashboard/SettingsTab.tsx';

const tabs = ['overview', 'settings'] as const;
type Tab = (typeof tabs)[number];

/** Which tab shows stands in the address, so that a reload and a link keep it. */
const useTab = () => {
  const [search, setSearch] = useSearchParams();
  const tab: Tab = tabs.find((name) => name === search.get('tab')) ?? 'overview';
  const setTab = (next: string | null) =>
    setSearch(next === 'overview' || next === null ? {} : { tab: next }, {
      replace: true,
      preventScrollReset: true,
    });
  return { tab, setTab };
};

const Dashboard = ({ user }: { user: Me }) => {
  const { tab, setTab } = useTab();
  return (
    <>
      <h1 className={classes.title}>Hello, {firstName(user)}</h1>
      <Tabs value={tab} onChange={setTab} keepMounted={false} classNames={{ tab: classes.tab }}>
        <Tabs.List mb="lg" aria-label="Dashboard">
          <Tabs.Tab value="overview">Overview</Tabs.Tab>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab user={user} />
        </Tabs.Panel>
        <Tabs.Panel value="settings" className={classes.narrow}>
          <SettingsTab user={user} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
};

const Loading = () => (
  <>
    <div role="status">
      <h1 className={classes.title}>Loading your dashboard...</h1>
    </div>
    <div className={classes.skeletons}>
      <CardSkeleton lines={2} />
      <CardSkeleton lines={5} />
    </div>
  </>
);

/** The subscriber's own page. Whoever has no valid token is led to the login. */
export const DashboardPage = () => {
  const token = useToken();
  const {
    data: user,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...currentUserQuery,
    enabled: token !== null,
  });
  if (token === null) return <Navigate to={paths.login} replace state="session ended" />;
  return (
    <div className={classes.page}>
      <PageTitle>Dashboard</PageTitle>
      <Notifications position="top-center" />
      {user ? <Dashboard user={user} /> : null}
      {!user && !error ? <Loading /> : null}
      {!user && error ? (
        <ErrorState
          heading="h1"
          title="Your dashboard could not be loaded"
          message={describeError('load page', error)}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : null}
    </div>
  );
};
