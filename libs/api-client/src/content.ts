import type {
  CreateScheduledMessageRequest,
  Faq,
  ScheduledMessage,
  Template,
} from '@daylift/contracts/content.http';
import type { Page } from '@daylift/contracts/fields';
import type { Client } from './request.ts';

/** Calls that the content service answers for everyone. */
export const createContentApi = ({ call }: Pick<Client, 'call'>) => ({
  listFaqs: (signal?: AbortSignal) => call<Faq[]>('GET', '/faqs', { signal }),
});

/** Calls that the content service answers for operators. */
export const createAdminContentApi = ({ call, callPaged }: Client) => ({
  listScheduledMessages: (page: Page, signal?: AbortSignal) =>
    callPaged<ScheduledMessage[]>('/admin/scheduled-messages', { query: page, signal }),
  createScheduledMessage: (body: CreateScheduledMessageRequest) =>
    call<ScheduledMessage>('POST', '/admin/scheduled-messages', { body }),
  deleteScheduledMessage: (id: string) =>
    call<void>('DELETE', `/admin/scheduled-messages/${encodeURIComponent(id)}`),
  listTemplates: (page: Page, signal?: AbortSignal) =>
    callPaged<Template[]>('/admin/templates', { query: page, signal }),
});
