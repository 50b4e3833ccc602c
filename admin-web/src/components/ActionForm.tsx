import type { Action } from '@daylift/api-client/operators-errors';
import { focusFirst } from '@daylift/ui/focus-first';
import { Button, type ButtonProps, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import { FormError } from './FormError.tsx';
import { useFieldError } from './field-errors.ts';

/** A form for one action. Rejected fields show their error; other errors are above the submit button. */
export const ActionForm = <Values extends Record<string, unknown>>({
  form,
  onSubmit,
  mutation,
  action,
  submit,
  submitProps,
  onCancel,
  width,
  names,
  children,
}: {
  form: UseFormReturnType<Values>;
  onSubmit: (values: Values) => void;
  mutation: { isPending: boolean; error: Error | null };
  action: Action;
  /** Label of the submit button. */
  submit: string;
  submitProps?: ButtonProps;
  onCancel?: () => void;
  width?: string;
  /** Form fields by request field, where they differ. */
  names?: Record<string, string>;
  children: ReactNode;
}) => {
  const error = useFieldError(form, mutation.error, names);
  return (
    <form onSubmit={form.onSubmit(onSubmit, focusFirst(form))} noValidate>
      <Stack gap="md" maw={width}>
        {children}
        <FormError action={action} error={error} />
        <Group gap="sm" justify={onCancel ? 'flex-end' : 'flex-start'}>
          {onCancel ? (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          ) : null}
          <Button type="submit" loading={mutation.isPending} {...submitProps}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
