import type { EditableFaq } from '@daylift/contracts/library.http';
import { Text } from '@mantine/core';
import { ActionDialog } from '../../../components/ActionDialog.tsx';
import { useDeleteFaq } from './faqs.queries.ts';

export const DeleteFaqDialog = ({
  faq,
  onClose,
}: {
  faq: EditableFaq | null;
  onClose: () => void;
}) => {
  const remove = useDeleteFaq();
  return (
    <ActionDialog
      input={faq?.id ?? null}
      mutation={remove}
      title="Delete this question?"
      confirmLabel="Delete"
      tone="danger"
      action="delete question"
      done={() => 'Question deleted.'}
      onClose={onClose}
    >
      <Text>
        <strong>{faq?.question}</strong> and its answer will be permanently deleted.
      </Text>
    </ActionDialog>
  );
};
