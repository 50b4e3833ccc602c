import { Dialog } from '@daylift/ui/Dialog';
import { formatWholeDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dayQuery } from './message-history.queries.ts';
import { TextActions } from './TextActions.tsx';
import classes from './TodaysText.module.css';

const DayTexts = ({ date }: { date: string }) => (
  <QueryView query={useQuery(dayQuery(date))} empty={<p>No text on this day.</p>}>
    {(messages) => (
      <Stack gap="xl">
        {messages.map(({ id, message_content, status }) => (
          <div key={id}>
            <p className={classes.inDialog}>{message_content}</p>
            <div className={classes.foot}>
              <TextActions text={message_content} />
              <MessageStatusBadge status={status} />
            </div>
          </div>
        ))}
      </Stack>
    )}
  </QueryView>
);

/** The texts of a day of the calendar. */
export const DayTextDialog = ({
  date,
  opened,
  onClose,
}: {
  /** The last chosen day, kept while the dialog closes. */
  date: string;
  opened: boolean;
  onClose: () => void;
}) => (
  <Dialog title={formatWholeDate(date)} opened={opened} onClose={onClose}>
    <DayTexts date={date} />
  </Dialog>
);
