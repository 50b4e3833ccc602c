import { type Action, describeError } from '@daylift/api-client/operators-errors';
import type { useAction } from '@daylift/api-client/use-action';
import { ConfirmDialog, type ConfirmDialogProps } from '@daylift/ui/ConfirmDialog';
import { notifyDone } from './notify.ts';

/** Confirms an action and shows its progress and error. */
export const ActionDialog = <Done, Input>({
  input,
  opened = input !== null,
  mutation,
  action,
  done,
  onClose,
  ...dialog
}: Omit<ConfirmDialogProps, 'opened' | 'busy' | 'error' | 'onConfirm'> & {
  /** The dialog is open while this is set. */
  input: Input | null;
  opened?: boolean;
  mutation: Pick<
    ReturnType<typeof useAction<Done, Input>>,
    'mutate' | 'reset' | 'isPending' | 'error'
  >;
  action: Action | undefined;
  /** Returns the success message. Without it, the mutation itself notifies and closes. */
  done?: (result: Done) => string;
}) => {
  const confirm = (chosen: Input) =>
    mutation.mutate(chosen, {
      onSuccess: (result) => {
        if (!done) return;
        notifyDone(done(result));
        onClose();
      },
    });
  return (
    <ConfirmDialog
      {...dialog}
      opened={opened}
      busy={mutation.isPending}
      error={action && mutation.error ? describeError(action, mutation.error) : null}
      onConfirm={() => input !== null && confirm(input)}
      onClose={() => {
        mutation.reset();
        onClose();
      }}
    />
  );
};
