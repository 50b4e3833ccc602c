import { type Action, describeError } from '@daylift/api-client/operators-errors';
import { Alert } from '@mantine/core';

export const FormError = ({ action, error }: { action: Action; error: Error | null }) =>
  error ? <Alert role="alert" color="red" title={describeError(action, error)} /> : null;
