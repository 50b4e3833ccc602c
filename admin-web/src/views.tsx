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
import { type ComponentType, lazy, type ReactElement } from 'react';
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
    Page: lazy(async () => ({
      default: (await import('./features/analytics/DashboardTab.tsx')).DashboardTab,
    })),
  },
  subscribers: {
    label: 'Subscribers',
    icon: <IconUsers size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/subscribers/SubscribersTab.tsx')).SubscribersTab,
    })),
  },
  messages: {
    label: 'Messages',
    icon: <IconCalendarEvent size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/scheduled-messages/MessagesTab.tsx')).MessagesTab,
    })),
  },
  sms: {
    label: 'SMS System',
    icon: <IconDeviceMobileMessage size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/sms-system/SmsSystemTab.tsx')).SmsSystemTab,
    })),
  },
  forecast: {
    label: 'Forecast',
    icon: <IconClockPlay size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/forecast/ForecastTab.tsx')).ForecastTab,
    })),
  },
  undelivered: {
    label: 'Undelivered',
    icon: <IconMoodEmpty size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/undelivered/UndeliveredTab.tsx')).UndeliveredTab,
    })),
  },
  inbox: {
    label: 'Inbox',
    icon: <IconInbox size={18} />,
    Count: InboxCount,
    Page: lazy(async () => ({
      default: (await import('./features/inbox/InboxTab.tsx')).InboxTab,
    })),
  },
  failed: {
    label: 'Failed events',
    icon: <IconParking size={18} />,
    Count: FailedCount,
    Page: lazy(async () => ({
      default: (await import('./features/failed/FailedTab.tsx')).FailedTab,
    })),
  },
  admins: {
    label: 'Admins',
    icon: <IconUserShield size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/admins/AdminsTab.tsx')).AdminsTab,
    })),
  },
  audit: {
    label: 'Audit log',
    icon: <IconListSearch size={18} />,
    Page: lazy(async () => ({
      default: (await import('./features/audit/AuditTab.tsx')).AuditTab,
    })),
  },
};
