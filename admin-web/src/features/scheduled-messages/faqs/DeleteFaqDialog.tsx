import { describeError } from '@daylift/api-client/operators-errors';
import type { EditableFaq } from '@daylift/contracts/library.http';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { Text } from '@mantine/core';
import { notifyDone } from '../../../components/notify.ts';
import { useDeleteFaq } from './faqs.queries.ts';

export const DeleteFaqDialog = ({
  faq,
  onClose,
}: {
  faq: EditableFaq | null;
  onClose: () => void;
}) => {
  const remove = useDeleteFaq();
  const close = () => {
    remove.reset();
    onClose();
  };
  const confirm = ({ id }: EditableFaq) =>
    remove.mutate(id, {
      onSuccess: () => {
        notifyDone('Question deleted.');
        close();
      },
    });
  return (
    <ConfirmDialog
      opened={faq !== null}
      title="Delete this question?"
      confirmLabel="Delete"
      tone="danger"
      busy={remove.isPending}
      error={remove.isError ? describeError('delete question', remove.error) : null}
      onConfirm={() => faq && confirm(faq)}
      onClose={close}
    >
      <Text>
        <strong>{faq?.question}</strong> and its answer will be permanently deleted.
      </Text>
    </ConfirmDialog>
  );
};
