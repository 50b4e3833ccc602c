import type { Template } from '@daylift/contracts/content.http';
import type { CreateTemplateRequest } from '@daylift/contracts/library.http';
import { Dialog } from '@daylift/ui/Dialog';
import { notifyDone } from '../../../components/notify.ts';
import { useCreateTemplate, useUpdateTemplate } from './library.queries.ts';
import { TemplateForm } from './TemplateForm.tsx';

export const TemplateDialog = ({
  template,
  onClose,
}: {
  template: Template | 'new' | null;
  onClose: () => void;
}) => {
  const create = useCreateTemplate();
  const update = useUpdateTemplate();
  const isNew = template === 'new';
  const close = () => {
    create.reset();
    update.reset();
    onClose();
  };
  const done = (saved: Template) => {
    notifyDone(
      isNew ? `"${saved.title}" was added to the library.` : `"${saved.title}" was updated.`,
    );
    close();
  };
  const submit = (body: CreateTemplateRequest) => {
    if (template === 'new') create.mutate(body, { onSuccess: done });
    else if (template !== null)
      update.mutate(
        { id: template.id, body: { ...body, version: template.version } },
        { onSuccess: done },
      );
  };
  const busy = create.isPending || update.isPending;
  return (
    <Dialog
      opened={template !== null}
      title={isNew ? 'Add a message to the library' : 'Edit library message'}
      size="58rem"
      busy={busy}
      onClose={close}
    >
      {template !== null ? (
        <TemplateForm
          key={isNew ? 'new' : template.id}
          template={isNew ? null : template}
          busy={busy}
          error={create.error ?? update.error}
          onSubmit={submit}
          onCancel={close}
        />
      ) : null}
    </Dialog>
  );
};
