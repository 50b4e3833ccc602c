import { useAction } from '@daylift/api-client/use-action';
import { Dialog } from '@daylift/ui/Dialog';
import { Button, Stack, Text } from '@mantine/core';
import { type SubmitEvent, useRef, useState } from 'react';
import { call } from '../../api.ts';
import { ActionFailure } from '../../components/ActionFailure.tsx';
import { FormActions } from '../../components/FormActions.tsx';
import { FormMessage } from '../../components/FormMessage.tsx';
import { PasswordField } from '../../components/PasswordField.tsx';
import { paths } from '../../paths.ts';
import { endSession } from '../../session/keep-session.ts';
import classes from './DeleteAccountDialog.module.css';

/** Loads a fresh document, so no user data stays in memory. */
const leave = (): void => {
  endSession();
  window.location.assign(paths.goodbye);
};

const Form = ({
  busy,
  error,
  onDelete,
  onClose,
}: {
  busy: boolean;
  error: unknown;
  onDelete: (password: string, options: { onError: () => void }) => void;
  onClose: () => void;
}) => {
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const focusField = () => field.current?.focus();
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setMissing(password === '');
    if (password === '') focusField();
    else if (!busy) onDelete(password, { onError: focusField });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <ul className={classes.effects}>
          <li>Your texts stop immediately.</li>
          <li>
            Your subscription ends, you lose any unused credit, and you won't be charged again.
          </li>
          <li>
            Your name, number, email and messages are deleted. We keep the payment records the law
            requires.
          </li>
        </ul>
        <Text fw={700}>This can't be undone.</Text>
        <PasswordField
          ref={field}
          label="Your password"
          autoComplete="current-password"
          maxLength={128}
          required
          data-autofocus
          value={password}
          error={missing}
          readOnly={busy}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {missing ? <FormMessage>Please fill in all required fields</FormMessage> : null}
        {!missing && error ? <ActionFailure action="delete account" error={error} /> : null}
        <FormActions>
          <Button variant="default" onClick={onClose} disabled={busy}>
            Keep My Account
          </Button>
          <Button type="submit" color="red" loading={busy}>
            Delete for Good
          </Button>
        </FormActions>
      </Stack>
    </form>
  );
};

/** Confirms the deletion with the password. Stays open while the request runs. */
export const DeleteAccountDialog = ({
  opened,
  onClose,
}: {
  opened: boolean;
  onClose: () => void;
}) => {
  const remove = useAction({
    mutationFn: (password: string) => call('POST /users/me/delete', { body: { password } }),
    onSuccess: leave,
  });
  const busy = remove.isPending || remove.isSuccess;
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <Dialog title="Delete your account?" opened={opened} busy={busy} onClose={close}>
      <Form busy={busy} error={remove.error} onDelete={remove.mutate} onClose={close} />
    </Dialog>
  );
};
