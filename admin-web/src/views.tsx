import { lazyComponent } from '@daylift/ui/lazy';
import {
  IconCalendarEvent,
  IconClockPlay,
  IconDeviceMobileMessage,
  IconInbox,
  IconLayoutDashboard,
  IconListSearch,
  IconMoodEmpty,
  IconParking,
  IconUserShield,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType, ReactElement } from 'react';
import { FailedCount } from './features/failed/FailedCount.tsx';
import { InboxCount } from './features/inbox/InboxCount.tsx';
import type { Tab } from './paths.ts';

export interface View {
  label: string;
  icon: ReactElement;
  Count?: ComponentType;
  Page: ComponentType;
}

/** The tabs. Each one's code loads when it is opened. */
export const views: Record<Tab, View> = {
  dashboard: {
    label: 'Dashboard',
    icon: <IconLayoutDashboard size={18} />,
    Page: lazyComponent('DashboardTab', () => import('./features/analytics/DashboardTab.tsx')),
  },
  subscribers: {
    label: 'Subscribers',
    icon: <IconUsers size={18} />,
    Page: lazyComponent(
      'SubscribersTab',
      () => import('./features/subscribers/SubscribersTab.tsx'),
    ),
  },
  messages: {
    label: 'Messages',
    icon: <IconCalendarEvent size={18} />,
    Page: lazyComponent(
      'MessagesTab',
      () => import('./features/scheduled-messages/MessagesTab.tsx'),
    ),
  },
  sms: {
    label: 'SMS System',
    icon: <IconDeviceMobileMessage size={18} />,
    Page: lazyComponent('SmsSystemTab', () => import('./features/sms-system/SmsSystemTab.tsx')),
  },
  forecast: {
    label: 'Forecast',
    icon: <IconClockPlay size={18} />,
    Page: lazyComponent('ForecastTab', () => import('./features/forecast/ForecastTab.tsx')),
  },
  undelivered: {
    label: 'Undelivered',
    icon: <IconMoodEmpty size={18} />,
    Page: lazyComponent(
      'UndeliveredTab',
      () => import('./features/undelivered/UndeliveredTab.tsx'),
    ),
  },
  inbox: {
    label: 'Inbox',
    icon: <IconInbox size={18} />,
    Count: InboxCount,
    Page: lazyComponent('InboxTab', () => import('./features/inbox/InboxTab.tsx')),
  },
  failed: {
    label: 'Failed events',
    icon: <IconParking size={18} />,
    Count: FailedCount,
    Page: lazyComponent('FailedTab', () => import('./features/failed/FailedTab.tsx')),
  },
  admins: {
    label: 'Admins',
    icon: <IconUserShield size={18} />,
    Page: lazyComponent('AdminsTab', () => import('./features/admins/AdminsTab.tsx')),
  },
  audit: {
    label: 'Audit log',
    icon: <IconListSearch size={18} />,
    Page: lazyComponent('AuditTab', () => import('./features/audit/AuditTab.tsx')),
  },
};
