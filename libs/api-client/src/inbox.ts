import type {
  AnswerRequest,
  Conversation,
  InboxPage,
  InboxQuery,
} from '@daylift/contracts/inbox.http';
import type { Client } from './request.ts';

export const createAdminInboxApi = ({ callPath: call }: Client) => ({
  list: (query: Partial<InboxQuery>, signal?: AbortSignal) =>
    call<InboxPage>('GET', '/admin/inbox', { query, signal }),
  get: (id: string, signal?: AbortSignal) =>
    call<Conversation>('GET', `/admin/inbox/${id}`, { signal }),
  answer: (id: string, body: AnswerRequest) =>
    call<Conversation>('POST', `/admin/inbox/${id}/answer`, { body }),
  close: (id: string) => call<Conversation>('POST', `/admin/inbox/${id}/close`),
  reopen: (id: string) => call<Conversation>('POST', `/admin/inbox/${id}/reopen`),
});
