import { describeError } from '@daylift/api-client/operators-errors';
import type { Conversation } from '@daylift/contracts/inbox.http';
import { ErrorText } from '@daylift/ui/ErrorText';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Button, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../api.ts';
import { notifyDone } from '../../components/notify.ts';
import { Section } from '../../components/Section.tsx';
import { SubscriberLink } from '../../components/SubscriberLink.tsx';
import { Time } from '../../components/Time.tsx';
import { useMay } from '../../session/use-admin.ts';
import { AnswerForm } from './AnswerForm.tsx';
import classes from './Inbox.module.css';
import { InboxItemLink } from './InboxItemLink.tsx';
import { assigneesQuery, conversationQuery, useConversationAction } from './inbox.queries.ts';
import { flagWords, kindNames, senderOf, statusWords } from './words.ts';

const Message = ({ message, from }: { message: Conversation['letters'][number]; from: string }) => (
  <div>
    <Text fz="sm" c="dimmed">
      {from}, <Time at={message.created_at} />, {kindNames[message.kind]}
    </Text>
    <div className={classes.letter}>{message.message}</div>
    {message.flags.map((flag) => (
      <Text key={flag} fz="sm" fw={600} mt={4}>
        <Badge tone={flagWords[flag].tone}>{flagWords[flag].label}</Badge> {flagWords[flag].advice}
      </Text>
    ))}
    {message.needs_review ? (
      <Text fz="sm" fw={600} mt={4}>
        We treated this as a STOP and stopped texting them. If it wasn't one, ask them to text
        START.
      </Text>
    ) : null}
  </div>
);

const Answer = ({ answer }: { answer: Conversation['answers'][number] }) => {
  const { tone, label } = statusWords[answer.status];
  return (
    <div>
      <Group gap="xs" justify="flex-end">
        <Text fz="sm" c="dimmed">
          {answer.admin}, <Time at={answer.created_at} />, by {answer.by}
        </Text>
        <Badge tone={tone}>{label}</Badge>
      </Group>
      <div className={classes.answer}>{answer.text}</div>
    </div>
  );
};

/** Messages and replies in chronological order. */
const Thread = ({ conversation }: { conversation: Conversation }) => {
  const from = senderOf(conversation);
  const entries = [
    ...conversation.letters.map((message) => ({
      at: message.created_at,
      node: <Message key={message.id} message={message} from={from} />,
    })),
    ...conversation.answers.map((answer) => ({
      at: answer.created_at,
      node: <Answer key={answer.id} answer={answer} />,
    })),
  ];
  return (
    <Stack gap="md">
      {conversation.has_earlier ? (
        <Text c="dimmed" fz="sm">
          Showing only the latest messages.
        </Text>
      ) : null}
      {entries.toSorted((a, b) => a.at.localeCompare(b.at)).map(({ node }) => node)}
    </Stack>
  );
};

const Sender = ({ conversation }: { conversation: Conversation }) => (
  <div>
    <Text style={{ overflowWrap: 'anywhere' }}>
      {[conversation.name, conversation.email, conversation.phone].filter(Boolean).join(' · ')}
    </Text>
    {conversation.user_id === null ? (
      <>
        <Text c="dimmed" fz="sm">
          {conversation.kind === 'reply'
            ? 'No subscriber has this number.'
            : 'Sent by a visitor. The email address is unverified.'}
        </Text>
        {conversation.subscriber ? (
          <SubscriberLink id={conversation.subscriber.id}>
            {`Subscriber with this email: ${conversation.subscriber.name}`}
          </SubscriberLink>
        ) : null}
      </>
    ) : (
      <SubscriberLink id={conversation.user_id} />
    )}
  </div>
);

const Assignee = ({ conversation }: { conversation: Conversation }) => {
  const { id, assignee } = conversation;
  const { data = [] } = useQuery(assigneesQuery);
  const assign = useConversationAction(id, (assignee_id: string | null) =>
    call('PUT /admin/inbox/:id/assignee', { params: { id }, body: { assignee_id } }),
  );
  // The assignee stays listed even if they can no longer reply.
  const choices = assignee && data.every((one) => one.id !== assignee.id) ? [assignee] : [];
  return (
    <div>
      <NativeSelect
        aria-label="Assigned to"
        value={assignee?.id ?? ''}
        disabled={assign.isPending}
        data={[
          { value: '', label: 'Unassigned' },
          ...[...choices, ...data].map((one) => ({
            value: one.id,
            label: `Assigned to ${one.username}`,
          })),
        ]}
        onChange={(event) => assign.mutate(event.currentTarget.value || null)}
      />
      {assign.isError ? (
        <ErrorText mt={4}>{describeError('change conversation', assign.error)}</ErrorText>
      ) : null}
    </div>
  );
};

const StateButton = ({ conversation }: { conversation: Conversation }) => {
  const { id, state, last_at } = conversation;
  const change = useConversationAction(id, () =>
    state === 'open'
      ? call('POST /admin/inbox/:id/close', { params: { id }, body: { last_at } })
      : call('POST /admin/inbox/:id/reopen', { params: { id } }),
  );
  return (
    <div>
      <Button
        variant="default"
        h={44}
        loading={change.isPending}
        onClick={() =>
          change.mutate(undefined, {
            onSuccess: () =>
              notifyDone(state === 'open' ? 'Conversation closed.' : 'Conversation reopened.'),
          })
        }
      >
        {state === 'open' ? 'Close Conversation' : 'Reopen'}
      </Button>
      {change.isError ? (
        <ErrorText mt={4}>{describeError('change conversation', change.error)}</ErrorText>
      ) : null}
    </div>
  );
};

const Loaded = ({
  conversation,
  linkTo,
}: {
  conversation: Conversation;
  linkTo: (id: string) => string;
}) => {
  const mayAct = useMay('operator');
  const { state, closed_at, closed_by, others } = conversation;
  return (
    <Section
      title={conversation.subject}
      actions={
        mayAct ? (
          <>
            <Assignee conversation={conversation} />
            <StateButton conversation={conversation} />
          </>
        ) : null
      }
    >
      <Stack gap="lg">
        <Sender conversation={conversation} />
        <Thread conversation={conversation} />
        {state === 'closed' && closed_at !== null ? (
          <Text fw={600}>
            Closed by {closed_by}, <Time at={closed_at} />. It reopens when they write again.
          </Text>
        ) : null}
        {mayAct ? null : <Text c="dimmed">You have view-only access. Operators can reply.</Text>}
        {mayAct ? <AnswerForm key={conversation.id} conversation={conversation} /> : null}
        {others.length > 0 ? (
          <div>
            <Title order={3} fz="1rem" mb="xs">
              Other conversations
            </Title>
            <ul className={classes.items}>
              {others.map((item) => (
                <li key={item.id}>
                  <InboxItemLink item={item} to={linkTo(item.id)} current={false} />
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </Stack>
    </Section>
  );
};

export const ConversationPane = ({
  id,
  linkTo,
}: {
  id: string;
  linkTo: (id: string) => string;
}) => {
  const query = useQuery(conversationQuery(id));
  if (query.data) return <Loaded conversation={query.data} linkTo={linkTo} />;
  return (
    <Section title="Conversation">
      <QueryView query={query} lines={6}>
        {() => null}
      </QueryView>
    </Section>
  );
};
