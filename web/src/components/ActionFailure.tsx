import { type Action, describeError, explainError } from '@daylift/api-client/errors';
import type { ReactNode } from 'react';
import { FormMessage } from './FormMessage.tsx';

/** Error message of a failed action, with the server's reason and an optional next step. */
export const ActionFailure = ({
  action,
  error,
  children,
}: {
  action: Action;
  error: unknown;
  children?: ReactNode;
}) => {
  if (!error) return null;
  const reason = explainError(action, error);
  return (
    <FormMessage>
      <div>{describeError(action, error)}</div>
      {reason ? <div>{reason}</div> : null}
      {children}
    </FormMessage>
  );
};
