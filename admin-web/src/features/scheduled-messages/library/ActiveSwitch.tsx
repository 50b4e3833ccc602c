import { describeError } from '@daylift/api-client/operators-errors';
import type { Template } from '@daylift/contracts/content.http';
import { Switch } from '@mantine/core';
import { useUpdateTemplate } from './library.queries.ts';

export const ActiveSwitch = ({ template }: { template: Template }) => {
  const update = useUpdateTemplate();
  return (
    <Switch
      checked={template.is_active}
      disabled={update.isPending}
      aria-label={`Active: ${template.title}`}
      error={update.isError ? describeError('update template', update.error) : null}
      onChange={(event) =>
        update.mutate({
          id: template.id,
          body: { version: template.version, is_active: event.currentTarget.checked },
        })
      }
    />
  );
};
