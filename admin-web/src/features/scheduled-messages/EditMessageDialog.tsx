import type { ScheduledMessage } from '@daylift/contracts/content.http';
import { Dialog } from '@daylift/ui/Dialog';
import { notifyDone } from '../../components/notify.ts';
import { MessageForm } from './MessageForm.tsx';
import { useUpdateScheduledMessage } from './scheduled-messages.queries.ts';

export const EditMessageDialog = ({
  message,
  onClose,
}: {
  message: ScheduledMessage | null;
  onClose: () => void;
}) => {
  const update = useUpdateScheduledMessage();
  const close = () => {
    update.reset();
    onClose();
  };
  return (
    <Dialog
      opened={message !== null}
      title="Edit message"
      size="58rem"
      busy={update.isPending}
      onClose={close}
    >
      {message ? (
        <MessageForm
          key={message.id}
          initial={{
            title: message.title,
            content: message.content,
            date: message.scheduled_date,
            time: message.scheduled_time,
            category: message.category,
          }}
          submitLabel="Save Changes"
          action="update scheduled message"
          busy={update.isPending}
          error={update.error}
          onSubmit={(request) =>
            update.mutate(
              { id: message.id, body: { ...request, version: message.version } },
              {
                onSuccess: (saved) => {
                  notifyDone(`"${saved.title}" was updated.`);
                  close();
                },
              },
            )
          }
          onCancel={close}
        />
      ) : null}
    </Dialog>
  );
};
