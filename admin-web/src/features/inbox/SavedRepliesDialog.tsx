import { describeError } from '@daylift/api-client/operators-errors';
import type { SavedReply, SavedReplyRequest } from '@daylift/contracts/inbox.http';
import { Dialog } from '@daylift/ui/Dialog';
import { ErrorText } from '@daylift/ui/ErrorText';
import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useState } from 'react';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { notifyDone } from '../../components/notify.ts';
import { RowButton } from '../../components/RowButton.tsx';
import { useSavedReplyAction } from './inbox.queries.ts';

type Editing = SavedReply | 'new' | 'list' | null;

const required = isNotEmpty('Please fill in all required fields');

const ReplyForm = ({
  reply,
  text,
  onDone,
}: {
  /** Null for a new reply, which starts with `text`. */
  reply: SavedReply | null;
  text: string;
  onDone: () => void;
}) => {
  const [id] = useState(() => reply?.id ?? crypto.randomUUID());
  const form = useForm({
    initialValues: { title: reply?.title ?? '', content: reply?.content ?? text },
    validate: { title: required, content: required },
  });
  const saving = useSavedReplyAction((body: SavedReplyRequest) =>
    reply === null
      ? call('POST /admin/saved-replies', { body: { id, ...body } })
      : call('PUT /admin/saved-replies/:id', { params: { id }, body }),
  );
  return (
    <ActionForm
      form={form}
      onSubmit={(values) =>
        saving.mutate(values, {
          onSuccess: () => {
            notifyDone('Reply saved.');
            onDone();
          },
        })
      }
      mutation={saving}
      action="save reply"
      submit="Save Reply"
      onCancel={onDone}
    >
      <TextInput
        label="Title"
        withAsterisk
        maxLength={80}
        // The dialog is already open, so its own autofocus doesn't apply.
        autoFocus
        {...form.getInputProps('title')}
      />
      <Textarea
        label="Reply"
        description="{{first_name}} becomes the person's first name."
        withAsterisk
        autosize
        minRows={4}
        maxRows={14}
        maxLength={4_000}
        {...form.getInputProps('content')}
      />
    </ActionForm>
  );
};

const ReplyList = ({
  replies,
  onEdit,
  onClose,
}: {
  replies: SavedReply[];
  onEdit: (editing: Editing) => void;
  onClose: () => void;
}) => {
  const removing = useSavedReplyAction((id: string) =>
    call('DELETE /admin/saved-replies/:id', { params: { id } }),
  );
  return (
    <Stack gap="md">
      {replies.length === 0 ? <Text c="dimmed">No saved replies yet.</Text> : null}
      {replies.map((reply) => (
        <Group key={reply.id} justify="space-between" wrap="nowrap" gap="sm">
          <div style={{ minWidth: 0 }}>
            <Text fw={700} truncate>
              {reply.title}
            </Text>
            <Text c="dimmed" fz="sm" lineClamp={2}>
              {reply.content}
            </Text>
          </div>
          <Group gap="xs" wrap="nowrap">
            <RowButton label="Edit" row={reply.title} onClick={() => onEdit(reply)} />
            <RowButton
              label="Delete"
              row={reply.title}
              loading={removing.isPending && removing.variables === reply.id}
              onClick={() =>
                removing.mutate(reply.id, {
                  onSuccess: () => notifyDone(`"${reply.title}" was deleted.`),
                })
              }
            />
          </Group>
        </Group>
      ))}
      {removing.isError ? (
        <ErrorText>{describeError('delete saved reply', removing.error)}</ErrorText>
      ) : null}
      <Group gap="sm">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button onClick={() => onEdit('new')}>Add a reply</Button>
      </Group>
    </Stack>
  );
};

/** Lists the saved replies of all admins, or edits one. */
export const SavedRepliesDialog = ({
  replies,
  text,
  editing,
  onEdit,
  onClose,
}: {
  replies: SavedReply[];
  text: string;
  editing: Editing;
  onEdit: (editing: Editing) => void;
  onClose: () => void;
}) => (
  <Dialog title="Saved replies" size="lg" opened={editing !== null} onClose={onClose}>
    {editing === 'list' ? <ReplyList replies={replies} onEdit={onEdit} onClose={onClose} /> : null}
    {editing !== 'list' && editing !== null ? (
      <ReplyForm
        key={editing === 'new' ? 'new' : editing.id}
        reply={editing === 'new' ? null : editing}
        text={text}
        onDone={() => onEdit('list')}
      />
    ) : null}
  </Dialog>
);
