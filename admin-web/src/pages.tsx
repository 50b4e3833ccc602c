import type { AdminRole } from '@daylift/contracts/fields';
import { lazyComponent } from '@daylift/ui/lazy';
import {
  IconAlertTriangle,
  IconCalendarEvent,
  IconClockPlay,
  IconDeviceMobileMessage,
  IconInbox,
  IconLayoutDashboard,
  IconMessageX,
  IconReportMoney,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { FailedCount } from './features/failed/FailedCount.tsx';
import { InboxCount } from './features/inbox/InboxCount.tsx';
import { paths } from './paths.ts';

export interface Section {
  path: string;
  label: string;
  /** The minimum role; any admin may open it if missing. */
  role?: AdminRole;
  /** Loaded when the section is opened. */
  Content: ComponentType;
}

export interface Page {
  label: string;
  Icon: ComponentType<{ size?: number }>;
  Count?: ComponentType;
  /** The page opens at its first section. */
  sections: [Section, ...Section[]];
}

const smsSystem = () => import('./features/sms-system/sections.tsx');

const onePage = (page: Omit<Page, 'sections'>, path: string, Content: ComponentType): Page => ({
  ...page,
  sections: [{ path, label: page.label, Content }],
});

/** In the order of the navigation. */
export const pages: Page[] = [
  onePage(
    { label: 'Dashboard', Icon: IconLayoutDashboard },
    paths.dashboard,
    lazyComponent('DashboardTab', () => import('./features/analytics/DashboardTab.tsx')),
  ),
  onePage(
    { label: 'Subscribers', Icon: IconUsers },
    paths.subscribers,
    lazyComponent('SubscribersTab', () => import('./features/subscribers/SubscribersTab.tsx')),
  ),
  {
    label: 'Messages',
    Icon: IconCalendarEvent,
    sections: [
      {
        path: paths.messages,
        label: 'Schedule',
        Content: lazyComponent(
          'ScheduleView',
          () => import('./features/scheduled-messages/ScheduleView.tsx'),
        ),
      },
      {
        path: paths.calendar,
        label: 'Calendar',
        Content: lazyComponent(
          'CalendarView',
          () => import('./features/scheduled-messages/calendar/CalendarView.tsx'),
        ),
      },
      {
        path: paths.library,
        label: 'Library',
        Content: lazyComponent(
          'LibraryView',
          () => import('./features/scheduled-messages/library/LibraryView.tsx'),
        ),
      },
    ],
  },
  {
    label: 'SMS System',
    Icon: IconDeviceMobileMessage,
    sections: [
      {
        path: paths.smsSystem,
        label: 'Overview',
        Content: lazyComponent('Overview', smsSystem),
      },
      {
        path: paths.statistics,
        label: 'Statistics',
        Content: lazyComponent('Statistics', smsSystem),
      },
      { path: paths.batches, label: 'Batches', Content: lazyComponent('Batches', smsSystem) },
      {
        path: paths.deliveryLog,
        label: 'Delivery log',
        Content: lazyComponent('DeliveryLog', smsSystem),
      },
      { path: paths.smsProvider, label: 'Provider', Content: lazyComponent('Provider', smsSystem) },
      {
        path: paths.providerErrors,
        label: 'Errors',
        Content: lazyComponent('ProviderErrors', smsSystem),
      },
    ],
  },
  {
    label: 'Business',
    Icon: IconReportMoney,
    sections: [
      {
        path: paths.business,
        label: 'Figures',
        Content: lazyComponent('BusinessTab', () => import('./features/business/BusinessTab.tsx')),
      },
      {
        path: paths.promotions,
        label: 'Promotions',
        Content: lazyComponent(
          'PromotionsView',
          () => import('./features/promotions/PromotionsView.tsx'),
        ),
      },
      {
        path: paths.gifts,
        label: 'Gifts',
        Content: lazyComponent('GiftsView', () => import('./features/gifts/GiftsView.tsx')),
      },
      {
        path: paths.prices,
        label: 'Prices',
        role: 'owner',
        Content: lazyComponent('PricesView', () => import('./features/prices/PricesView.tsx')),
      },
    ],
  },
  onePage(
    { label: 'Forecast', Icon: IconClockPlay },
    paths.forecast,
    lazyComponent('ForecastTab', () => import('./features/forecast/ForecastTab.tsx')),
  ),
  onePage(
    { label: 'Undelivered', Icon: IconMessageX },
    paths.undelivered,
    lazyComponent('UndeliveredTab', () => import('./features/undelivered/UndeliveredTab.tsx')),
  ),
  onePage(
    { label: 'Failed events', Icon: IconAlertTriangle, Count: FailedCount },
    paths.failedEvents,
    lazyComponent('FailedTab', () => import('./features/failed/FailedTab.tsx')),
  ),
  onePage(
    { label: 'Inbox', Icon: IconInbox, Count: InboxCount },
    paths.inbox,
    lazyComponent('InboxTab', () => import('./features/inbox/InboxTab.tsx')),
  ),
  {
    label: 'Settings',
    Icon: IconSettings,
    sections: [
      {
        path: paths.testingMode,
        label: 'Testing mode',
        Content: lazyComponent('TestingModeCard', smsSystem),
      },
      {
        path: paths.alerts,
        label: 'Alerts',
        Content: lazyComponent('AlertSettingsCard', smsSystem),
      },
      {
        path: paths.credits,
        label: 'Credits',
        Content: lazyComponent(
          'CreditSettingsCard',
          () => import('./features/credits/CreditSettingsCard.tsx'),
        ),
      },
      { path: paths.provider, label: 'Provider', Content: lazyComponent('Provider', smsSystem) },
      {
        path: paths.faqs,
        label: 'FAQs',
        Content: lazyComponent(
          'FaqsView',
          () => import('./features/scheduled-messages/faqs/FaqsView.tsx'),
        ),
      },
      {
        path: paths.admins,
        label: 'Admins',
        role: 'owner',
        Content: lazyComponent('AdminsTab', () => import('./features/admins/AdminsTab.tsx')),
      },
      {
        path: paths.auditLog,
        label: 'Audit log',
        role: 'owner',
        Content: lazyComponent('AuditTab', () => import('./features/audit/AuditTab.tsx')),
      },
    ],
  },
];

/** Returns the page a path belongs to, if it is in the navigation. */
export const pageOf = (pathname: string): Page | undefined =>
  pages.find(({ sections }) =>
    sections.some(({ path }) => pathname === path || pathname.startsWith(`${path}/`)),
  );
