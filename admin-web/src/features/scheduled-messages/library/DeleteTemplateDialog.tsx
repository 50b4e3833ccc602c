import type { Template } from '@daylift/contracts/content.http';
import { Text } from '@mantine/core';
import { ActionDialog } from '../../../components/ActionDialog.tsx';
import { useDeleteTemplate } from './library.queries.ts';

export const DeleteTemplateDialog = ({
  template,
  onClose,
}: {
  template: Template | null;
  onClose: () => void;
}) => {
  const remove = useDeleteTemplate();
  return (
    <ActionDialog
      input={template?.id ?? null}
      mutation={remove}
      title="Delete this library message?"
      confirmLabel="Delete"
      tone="danger"
      action="delete template"
      done={() => `"${template?.title}" was deleted.`}
      onClose={onClose}
    >
      <Text>
        <strong>{template?.title}</strong> will be permanently deleted. To stop using it for a
        while, make it inactive instead.
      </Text>
    </ActionDialog>
  );
};
