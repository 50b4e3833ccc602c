import { Dialog } from '@daylift/ui/Dialog';
import { formatWholeDate } from '@daylift/ui/formats';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge, MessageStatusBadge } from '@daylift/ui/StatusBadge';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dayQuery, explanationQuery } from './message-history.queries.ts';
import { TextActions } from './TextActions.tsx';
import classes from './TodaysText.module.css';

const Explanation = ({ date }: { date: string }) => (
  <QueryView query={useQuery(explanationQuery(date))} lines={1}>
    {({ explanation }) => <Text>{explanation}</Text>}
  </QueryView>
);

const DayTexts = ({ date }: { date: string }) => (
  <QueryView query={useQuery(dayQuery(date))} empty={<Explanation date={date} />}>
    {(messages) => (
      <Stack gap="xl">
        {messages.every(({ status }) => status === 'sent' || status === 'delivered') ? null : (
          <Explanation date={date} />
        )}
        {messages.map(({ id, kind, message_content, status }) => (
          <div key={id}>
            {kind === 'announcement' ? <Badge tone="sky">Announcement</Badge> : null}
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

/** The texts of a day of the calendar, or why there is none. */
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
