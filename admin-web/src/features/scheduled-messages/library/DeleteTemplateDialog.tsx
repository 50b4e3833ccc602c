import { describeError } from '@daylift/api-client/operators-errors';
import type { Template } from '@daylift/contracts/content.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Text } from '@mantine/core';
import { notifyDone } from '../../../components/notify.ts';
import { useDeleteTemplate } from './library.queries.ts';

export const DeleteTemplateDialog = ({
  template,
  onClose,
}: {
  template: Template | null;
  onClose: () => void;
}) => {
  const remove = useDeleteTemplate();
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = ({ id, title }: Template) =>
    remove.mutate(id, {
      onSuccess: () => {
        notifyDone(`"${title}" was deleted.`);
        close();
      },
    });
  return (
    <ConfirmDialog
      opened={template !== null}
      title="Delete this library message?"
      confirmLabel="Delete"
      tone="danger"
      busy={remove.isPending}
      error={remove.isError ? describeError('delete template', remove.error) : null}
      onConfirm={() => template && confirm(template)}
      onClose={close}
    >
      <Text>
        <strong>{template?.title}</strong> will be permanently deleted. To stop using it for a
        while, make it inactive instead.
      </Text>
    </ConfirmDialog>
  );
};
