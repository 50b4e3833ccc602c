import { describeError } from '@daylift/api-client/operators-errors';
import { ApiError } from '@daylift/api-client/request';
import type { AnswerBy, Conversation } from '@daylift/contracts/inbox.http';
import { withFirstName } from '@daylift/delivery/first-name';
import { countSegments } from '@daylift/delivery/segments';
import { ConfirmDialog } from '@daylift/ui/ConfirmDialog';
import { formatCount } from '@daylift/ui/formats';
import { Alert, Button, Group, Radio, Stack, Text, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { call } from '../../api.ts';
import { menuReturnMs } from '../../components/durations.ts';
import { notifyDone } from '../../components/notify.ts';
import { useConversationAction } from './inbox.queries.ts';
import { SavedReplies } from './SavedReplies.tsx';
import { senderOf } from './words.ts';

const maxLength: Record<AnswerBy, number> = { email: 4_000, text: 640 };

const firstChoice = ({ kind, refusals }: Conversation): AnswerBy =>
  (kind === 'reply' && refusals.text === null) || refusals.email !== null ? 'text' : 'email';

const partsOf = (text: string): string => {
  const { parts, encoding } = countSegments(text);
  return `${formatCount(parts)} ${parts === 1 ? 'part' : 'parts'} (${encoding})`;
};

const Length = ({ by, text }: { by: AnswerBy; text: string }) => (
  <Text c="dimmed" fz="sm">
    {formatCount(text.length)} of {formatCount(maxLength[by])} characters
    {by === 'text' && text !== '' ? `, ${partsOf(text)}` : ''}
  </Text>
);

/** Replies to a conversation. A text asks for confirmation; an email doesn't. */
export const AnswerForm = ({ conversation }: { conversation: Conversation }) => {
  const [by, setBy] = useState<AnswerBy>(() => firstChoice(conversation));
  const [text, setText] = useState('');
  const fill = (reply: string) => withFirstName(reply, conversation.name?.split(' ')[0] ?? '');
  const filled = fill(text);
  const [missing, setMissing] = useState(false);
  const [confirming, setConfirming] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const [idempotency_key, setKey] = useState(() => crypto.randomUUID());
  const answer = useConversationAction(conversation.id, () =>
    call('POST /admin/inbox/:id/answer', {
      params: { id: conversation.id },
      body: { by, text: filled, idempotency_key },
    }),
  );
  const refusal = conversation.refusals[by];
  const error = answer.isError ? describeError('send reply', answer.error) : null;
  const send = () =>
    answer.mutate(undefined, {
      onSuccess: () => {
        notifyDone(by === 'email' ? 'Email sent.' : 'Text queued.');
        setText('');
        setKey(crypto.randomUUID());
        setConfirming(false);
      },
      // The thread shows the version that was sent; what is typed may go as another reply.
      onError: (error) => {
        if (error instanceof ApiError && error.code === 'REPLY_ALREADY_SENT')
          setKey(crypto.randomUUID());
      },
    });
  const submit = () => {
    setMissing(text.trim() === '');
    if (text.trim() === '') return;
    // A second click must not drop the request in flight; `send` resets by itself.
    if (by === 'email') return send();
    answer.reset();
    setConfirming(true);
  };
  // A draft outlives a close by another admin.
  if (conversation.state === 'closed' && text === '') return null;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
    >
      <Stack gap="sm">
        <Radio.Group
          label="Reply by"
          value={by}
          onChange={(value) => {
            answer.reset();
            setBy(value as AnswerBy);
          }}
        >
          <Group gap="lg" mt={4}>
            <Radio value="email" label="Email" />
            <Radio value="text" label="Text" />
          </Group>
        </Radio.Group>
        {refusal === null ? null : <Text fw={600}>{refusal}</Text>}
        <SavedReplies
          text={text}
          disabled={refusal !== null}
          onChoose={(reply) => {
            setText(fill(reply));
            setMissing(false);
            window.setTimeout(() => field.current?.focus(), menuReturnMs);
          }}
        />
        <Textarea
          ref={field}
          label="Your reply"
          description="{{first_name}} becomes the person's first name."
          autosize
          minRows={3}
          maxRows={14}
          maxLength={maxLength[by]}
          disabled={refusal !== null}
          value={text}
          error={missing ? 'Enter a reply' : null}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setMissing(false);
          }}
        />
        <Length by={by} text={filled} />
        {error !== null && !confirming ? <Alert role="alert" color="red" title={error} /> : null}
        <Group justify="flex-end">
          <Button
            type="submit"
            disabled={refusal !== null}
            loading={answer.isPending && !confirming}
          >
            {by === 'email' ? 'Send Email' : 'Send Text'}
          </Button>
        </Group>
      </Stack>
      <ConfirmDialog
        opened={confirming}
        title={`Text ${senderOf(conversation)} now?`}
        confirmLabel="Send Text"
        busy={answer.isPending}
        error={error}
        onConfirm={send}
        onClose={() => {
          answer.reset();
          setConfirming(false);
        }}
      >
        <Text>
          This sends one text of {partsOf(filled)} to {conversation.phone ?? 'their phone'} now. It
          doesn't replace their daily text and can't be undone.
        </Text>
      </ConfirmDialog>
    </form>
  );
};
