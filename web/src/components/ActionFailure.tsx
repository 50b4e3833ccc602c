import { type Action, describeError, explainError } from '@daylift/api-client/errors';
import type { ReactNode } from 'react';
import { FormMessage } from './FormMessage.tsx';

/** A failed action in the catalogue's words, the server's reason after it, and what to do about it. */
export const ActionFailure = ({
  action,
  error,
  children,
}: {
  action: Action;
  error: unknown;
  children?: ReactNode;
}) => {
  const reason = explainError(action, error);
  return (
    <FormMessage>
      <div>{describeError(action, error)}</div>
      {reason ? <div>{reason}</div> : null}
      {children}
    </FormMessage>
  );
};
