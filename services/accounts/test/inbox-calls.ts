import { randomUUID } from 'node:crypto';
import type { AnswerBy, Conversation, InboxPage } from '@daylift/contracts/inbox.http';
import { beforeEach } from 'vitest';
import { repliesLoop } from '../src/inbox/replies.loop.ts';
import { asAdmin, asUser, type Harness, testStart } from './harness.ts';

/** Calls of the inbox, with sms-gateway replaced. Each test starts at the same time. */
export function inboxCalls(current: () => Harness) {
  /** Replies stored by sms-gateway, by id. */
  let replies: Map<string, { content: string; from_number: string }>;
  beforeEach(() => {
    const harness = current();
    harness.clock.set(testStart);
    replies = new Map();
    harness.parts.smsGateway = async (path) => {
      const id = path.split('/internal/inbound/')[1];
      return id === undefined ? [] : (replies.get(id) ?? null);
    };
  });

  const fetchReplies = async () => repliesLoop(current().deps).run?.();
  /** A text reply as published by sms-gateway, with its content fetched. */
  async function reply(
    from: { id: string | null; phone: string },
    content: string,
    { needs_review = false, fetch = true } = {},
  ): Promise<string> {
    const inbound_id = randomUUID();
    replies.set(inbound_id, { content, from_number: from.phone });
    const at = current().clock.now().toISOString();
    const event = { inbound_id, user_id: from.id, needs_review, at };
    await current().receive('sms.reply.received', event);
    if (fetch) await fetchReplies();
    return inbound_id;
  }
  const list = async (query = '', role: 'viewer' | 'operator' = 'operator') =>
    (await current().call({ url: `/admin/inbox${query}`, as: asAdmin(role) })).json<InboxPage>();
  const read = async (id: string, role: 'viewer' | 'operator' = 'operator') =>
    (await current().call({ url: `/admin/inbox/${id}`, as: asAdmin(role) })).json<Conversation>();
  const act = (id: string, what: 'close' | 'reopen') =>
    current().call({ method: 'POST', url: `/admin/inbox/${id}/${what}`, as: asAdmin('operator') });
  const answer = (
    id: string,
    by: AnswerBy,
    text = 'We look into it.',
    key: string = randomUUID(),
  ) =>
    current().call({
      method: 'POST',
      url: `/admin/inbox/${id}/answer`,
      as: asAdmin('operator'),
      body: { by, text, idempotency_key: key },
    });
  const detailOf = (one: { json<T>(): T }) => one.json<{ detail: string }>().detail;
  const conversationsOf = async (user_id: string) =>
    (await list('?limit=100')).items.filter((one) => one.user_id === user_id);
  async function write(user: { id: string }, subject = 'No text', message = 'Nothing came today.') {
    const body = { subject, message };
    await current().call({ method: 'POST', url: '/support/contact', as: asUser(user.id), body });
    return (await conversationsOf(user.id)).find((one) => one.subject === subject)?.id ?? '';
  }
  const audited = async (target: string) =>
    (
      await current()
        .deps.db.selectFrom('audit_log')
        .select(['action', 'actor_username'])
        .where('target', '=', target)
        .orderBy('position')
        .execute()
    ).map((one) => `${one.actor_username} ${one.action}`);

  return {
    fetchReplies,
    reply,
    list,
    read,
    act,
    answer,
    detailOf,
    conversationsOf,
    write,
    audited,
  };
}
