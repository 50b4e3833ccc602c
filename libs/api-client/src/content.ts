import type {
  CreateScheduledMessageRequest,
  Faq,
  ScheduledMessage,
  Template,
} from '@daylift/contracts/content.http';
import type {
  CreateFaqRequest,
  CreateTemplateRequest,
  EditableFaq,
  TemplateQuery,
  UpdateFaqRequest,
  UpdateTemplateRequest,
} from '@daylift/contracts/library.http';
import type {
  ContentCalendar,
  ImportReport,
  ImportRequest,
  ScheduledMessageQuery,
  UpdateScheduledMessageRequest,
} from '@daylift/contracts/scheduled-messages.http';
import { callPaged } from './call-paged.ts';
import type { Client } from './request.ts';

/** Calls that the content service answers for everyone. */
export const createContentApi = ({ call }: Pick<Client, 'call'>) => ({
  listFaqs: (signal?: AbortSignal) => call<Faq[]>('GET', '/faqs', { signal }),
});

const at = (path: string, id: string): string => `${path}/${encodeURIComponent(id)}`;

/** Calls that the content service answers for operators. */
export const createAdminContentApi = ({ call, send }: Client) => ({
  listScheduledMessages: (query: ScheduledMessageQuery, signal?: AbortSignal) =>
    callPaged<ScheduledMessage[]>(send, '/admin/scheduled-messages', { query, signal }),
  getContentCalendar: (days: number, signal?: AbortSignal) =>
    call<ContentCalendar>('GET', '/admin/scheduled-messages/calendar', { query: { days }, signal }),
  createScheduledMessage: (body: CreateScheduledMessageRequest) =>
    call<ScheduledMessage>('POST', '/admin/scheduled-messages', { body }),
  importMessages: (body: ImportRequest) =>
    call<ImportReport>('POST', '/admin/scheduled-messages/import', { body }),
  updateScheduledMessage: (id: string, body: UpdateScheduledMessageRequest) =>
    call<ScheduledMessage>('PUT', at('/admin/scheduled-messages', id), { body }),
  deleteScheduledMessage: (id: string) => call<void>('DELETE', at('/admin/scheduled-messages', id)),

  listTemplates: (query: TemplateQuery, signal?: AbortSignal) =>
    callPaged<Template[]>(send, '/admin/templates', { query, signal }),
  createTemplate: (body: CreateTemplateRequest) =>
    call<Template>('POST', '/admin/templates', { body }),
  updateTemplate: (id: string, body: UpdateTemplateRequest) =>
    call<Template>('PUT', at('/admin/templates', id), { body }),
  deleteTemplate: (id: string) => call<void>('DELETE', at('/admin/templates', id)),

  listEditableFaqs: (signal?: AbortSignal) => call<EditableFaq[]>('GET', '/admin/faqs', { signal }),
  createFaq: (body: CreateFaqRequest) => call<EditableFaq>('POST', '/admin/faqs', { body }),
  updateFaq: (id: string, body: UpdateFaqRequest) =>
    call<EditableFaq>('PUT', at('/admin/faqs', id), { body }),
  orderFaqs: (ids: string[]) => call<EditableFaq[]>('PUT', '/admin/faqs/order', { body: { ids } }),
  deleteFaq: (id: string) => call<void>('DELETE', at('/admin/faqs', id)),
});
