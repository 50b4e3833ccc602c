import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatHour, formatLocalDate } from '@daylift/ui/formats';
import { Text } from '@mantine/core';
import type { MessageValues } from './message-values.ts';

/** Returns whether a message is an announcement in the past, in this browser's time zone. */
export const hasPassed = ({ category, date, time }: MessageValues): boolean =>
  category === 'announcement' && new Date(`${date}T${time}`).getTime() < Date.now();

/** Asks for confirmation before scheduling an announcement in the past. */
export const LateDialog = ({
  late,
  onConfirm,
  onClose,
}: {
  late: MessageValues | null;
  onConfirm: (values: MessageValues) => void;
  onClose: () => void;
}) => (
  <ConfirmDialog
    opened={late !== null}
    title="This time has passed"
    confirmLabel="Schedule Anyway"
    onConfirm={() => late && onConfirm(late)}
    onClose={onClose}
  >
    <Text>
      {late ? `${formatHour(late.time)} on ${formatLocalDate(late.date)}` : ''} has passed in your
      time zone. Subscribers whose local send time was less than 3 hours ago get the announcement
      right away. Those whose local send time was earlier don't get it.
    </Text>
  </ConfirmDialog>
);
