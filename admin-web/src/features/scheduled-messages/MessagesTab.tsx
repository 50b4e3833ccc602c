import { Button, Group } from '@mantine/core';
import type { ReactElement } from 'react';
import { Link, useSearchParams } from 'react-router';
import { TabPage } from '../../components/TabPage.tsx';
import { type MessageView, messageViews, paths, readMessageView } from '../../paths.ts';
import { CalendarView } from './calendar/CalendarView.tsx';
import { FaqsView } from './faqs/FaqsView.tsx';
import { LibraryView } from './library/LibraryView.tsx';
import { ScheduleView } from './ScheduleView.tsx';

const views: Record<MessageView, { label: string; page: ReactElement }> = {
  schedule: { label: 'Schedule', page: <ScheduleView /> },
  calendar: { label: 'Calendar', page: <CalendarView /> },
  library: { label: 'Library', page: <LibraryView /> },
  faqs: { label: 'FAQs', page: <FaqsView /> },
};

export const MessagesTab = () => {
  const [search] = useSearchParams();
  const chosen = readMessageView(search.get('view'));
  return (
    <TabPage title="Messages">
      <Group component="nav" gap="xs" aria-label="Message views">
        {messageViews.map((view) => (
          <Button
            key={view}
            component={Link}
            to={paths.messages(view)}
            variant={view === chosen ? 'filled' : 'default'}
            aria-current={view === chosen ? 'page' : undefined}
          >
            {views[view].label}
          </Button>
        ))}
      </Group>
      {views[chosen].page}
    </TabPage>
  );
};
