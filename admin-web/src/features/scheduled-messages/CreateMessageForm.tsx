import { formatLocalDate } from '@daylift/ui/formats';
import { useEffect, useRef } from 'react';
import { menuReturnMs } from '../../components/durations.ts';
import { notifyDone } from '../../components/notify.ts';
import { ViewerNotice } from '../../components/ViewerNotice.tsx';
import { useMay } from '../../session/use-admin.ts';
import { MessageForm } from './MessageForm.tsx';
import { emptyMessage, type MessageValues } from './message-values.ts';
import { useCreateScheduledMessage } from './scheduled-messages.queries.ts';

/** Form for a new message. `started` is filled in and focused: a date from the calendar, a copy of another message, or nothing. */
export const CreateMessageForm = ({ started }: { started: Partial<MessageValues> | null }) => {
  const create = useCreateScheduledMessage();
  const may = useMay('operator');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!may || started === null) return;
    const field = started.date === '' ? 'input[type="date"]' : 'input';
    const timer = window.setTimeout(
      () => place.current?.querySelector<HTMLInputElement>(field)?.focus(),
      menuReturnMs,
    );
    return () => window.clearTimeout(timer);
  }, [may, started]);
  if (!may) return <ViewerNotice />;
  return (
    <div ref={place}>
      <MessageForm
        initial={{ ...emptyMessage, ...started }}
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
