import { formatLocalDate } from '@daylift/ui/formats';
import { useEffect, useRef } from 'react';
import { notifyDone } from '../../components/notify.ts';
import { ViewerNotice } from '../../components/ViewerNotice.tsx';
import { useMay } from '../../session/use-admin.ts';
import { emptyMessage, MessageForm } from './MessageForm.tsx';
import { useCreateScheduledMessage } from './scheduled-messages.queries.ts';

/** Form for a new message, with the date from the calendar if one was chosen there. */
export const CreateMessageForm = ({ date }: { date: string | null }) => {
  const create = useCreateScheduledMessage();
  const may = useMay('operator');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (may && date !== null) place.current?.querySelector('input')?.focus();
  }, [may, date]);
  if (!may) return <ViewerNotice />;
  return (
    <div ref={place}>
      <MessageForm
        initial={{ ...emptyMessage, date: date ?? '' }}
        submitLabel="Schedule Message"
        action="create scheduled message"
        busy={create.isPending}
        error={create.error}
        onSubmit={(request, reset) =>
          create.mutate(request, {
            onSuccess: (message) => {
              notifyDone(
                `"${message.title}" is scheduled for ${formatLocalDate(message.scheduled_date)}.`,
              );
              reset();
            },
          })
        }
      />
    </div>
  );
};
