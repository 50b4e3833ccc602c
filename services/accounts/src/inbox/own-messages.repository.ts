import type { SupportThread } from '@daylift/contracts/inbox.http';
import { sql } from 'kysely';
import type { Db } from '../database.ts';

export interface OwnConversation {
  id: string;
  subject: string;
  state: 'open' | 'closed';
  messages: SupportThread['messages'];
}

/**
 * Returns a subscriber's conversations, the latest first, with their latest messages. Anyone can type in a number that
 * texts us, so texts from a number that the account hadn't proven are left out, and later replies, which may quote
 * them. Such texts have no email.
 */
export async function findOwnConversations(
  db: Db,
  userId: string,
  which: { before?: string | undefined; limit?: number; maxMessages?: number } = {},
): Promise<OwnConversation[]> {
  // Postgres reads a null limit as none.
  const { before, limit = null, maxMessages = null } = which;
  const own = sql`l.conversation_id = c.id and (l.kind = 'support' or l.email is not null)`;
  const { rows } = await sql<OwnConversation>`
    select c.id, c.subject, c.state, thread.messages
    from conversations c
    cross join lateral (
      select json_agg(one order by one.created_at desc, one.id) as messages from (
        (select l.id, 'you' as sender, case l.kind when 'reply' then 'text' else 'form' end as by, l.message as text,
            l.created_at
          from letters l where ${own} order by l.created_at desc limit ${maxMessages})
        union all
        (select a.id, 'support', a.sent_by, a.message, a.created_at
          from answers a where a.conversation_id = c.id and a.created_at < coalesce((
            select min(l.created_at) from letters l
            where l.conversation_id = c.id and l.kind = 'reply' and l.email is null), 'infinity')
          order by a.created_at desc limit ${maxMessages})
        order by created_at desc limit ${maxMessages}
      ) one
    ) thread
    where c.user_id = ${userId} and exists (select 1 from letters l where ${own})
      and ${
        before === undefined
          ? sql`true`
          : sql`(c.last_at, c.id) < (select last_at, id from conversations where id = ${before} and user_id = ${userId})`
      }
    order by c.last_at desc, c.id desc
    limit ${limit}`.execute(db);
  return rows;
}
