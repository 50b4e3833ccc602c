import type { InboundReply } from '@daylift/contracts/inbox.http';
import type { Loop } from '@daylift/server/loops';
import type { AccountsDeps } from '../deps.ts';
import { takeReply } from './replies.actions.ts';
import { findRepliesToFetch, forgetReply, postponeReply } from './replies.repository.ts';

const batchSize = 20;
const pauseMs = 5_000;

export function repliesLoop(deps: AccountsDeps): Loop {
  const smsGateway = deps.exportParts.smsGateway;
  return {
    name: 'fetch-replies',
    everyMs: 1_000,
    async run() {
      const replies = await findRepliesToFetch(deps.db, batchSize);
      for (const reply of replies) {
        const path = `/internal/inbound/${encodeURIComponent(reply.inbound_id)}`;
        try {
          const fetched = await smsGateway.get<InboundReply>(path);
          if (fetched === null) await forgetReply(deps.db, reply.inbound_id);
          else await takeReply(deps, reply, fetched);
        } catch (error) {
          await postponeReply(deps.db, reply.inbound_id, new Date(Date.now() + pauseMs));
          throw error;
        }
      }
      return replies.length;
    },
  };
}
