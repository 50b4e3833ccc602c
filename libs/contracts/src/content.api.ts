import {
  CreateScheduledMessageRequest,
  FaqList,
  ScheduledMessage,
  ScheduledMessageList,
  Template,
  TemplateList,
} from './content.http.ts';
import { defineApi } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { IdParams } from './fields.ts';
import {
  CreateFaqRequest,
  CreateTemplateRequest,
  EditableFaq,
  EditableFaqList,
  OrderFaqsRequest,
  TemplateQuery,
  UpdateFaqRequest,
  UpdateTemplateRequest,
} from './library.http.ts';
import { ContentLive } from './live.http.ts';
import {
  CalendarQuery,
  ContentCalendar,
  ImportReport,
  ImportRequest,
  ScheduledMessageQuery,
  UpdateScheduledMessageRequest,
} from './scheduled-messages.http.ts';

export const contentApi = defineApi('content', {
  'GET /faqs': { access: 'public', summary: 'Questions and answers', response: FaqList },
  'GET /admin/scheduled-messages': {
    access: 'viewer',
    summary: 'Scheduled messages, newest date first',
    query: ScheduledMessageQuery,
    response: ScheduledMessageList,
    paged: true,
  },
  'POST /admin/scheduled-messages': {
    access: 'operator',
    summary: 'Schedule a message',
    body: CreateScheduledMessageRequest,
    response: ScheduledMessage,
    status: 201,
    errors: [409],
  },
  'GET /admin/scheduled-messages/calendar': {
    access: 'viewer',
    summary: 'The coming days, with and without a message',
    query: CalendarQuery,
    response: ContentCalendar,
  },
  'POST /admin/scheduled-messages/import': {
    access: 'operator',
    summary: 'Schedule the messages in a CSV file, or only check it',
    body: ImportRequest,
    response: ImportReport,
    errors: [409],
    large: true,
  },
  'PUT /admin/scheduled-messages/:id': {
    access: 'operator',
    summary: 'Change a message that has not been sent',
    params: IdParams,
    body: UpdateScheduledMessageRequest,
    response: ScheduledMessage,
    errors: [404, 409],
  },
  'DELETE /admin/scheduled-messages/:id': {
    access: 'operator',
    summary: 'Delete a message that has not been sent',
    params: IdParams,
    errors: [404, 409],
  },
  'GET /admin/templates': {
    access: 'viewer',
    summary: 'The library of messages, with search',
    query: TemplateQuery,
    response: TemplateList,
    paged: true,
  },
  'POST /admin/templates': {
    access: 'operator',
    summary: 'Add a message to the library',
    body: CreateTemplateRequest,
    response: Template,
    status: 201,
  },
  'PUT /admin/templates/:id': {
    access: 'operator',
    summary: 'Change a message in the library, or turn it on or off',
    params: IdParams,
    body: UpdateTemplateRequest,
    response: Template,
    errors: [404, 409],
  },
  'DELETE /admin/templates/:id': {
    access: 'operator',
    summary: 'Remove a message from the library',
    params: IdParams,
    errors: [404],
  },
  'GET /admin/faqs': {
    access: 'viewer',
    summary: 'Questions and answers with their placeholders',
    response: EditableFaqList,
  },
  'POST /admin/faqs': {
    access: 'operator',
    summary: 'Add a question',
    body: CreateFaqRequest,
    response: EditableFaq,
    status: 201,
    errors: [409],
  },
  'PUT /admin/faqs/order': {
    access: 'operator',
    summary: 'Reorder the questions',
    body: OrderFaqsRequest,
    response: EditableFaqList,
    errors: [409],
  },
  'PUT /admin/faqs/:id': {
    access: 'operator',
    summary: 'Change a question',
    params: IdParams,
    body: UpdateFaqRequest,
    response: EditableFaq,
    errors: [404, 409],
  },
  'DELETE /admin/faqs/:id': {
    access: 'operator',
    summary: 'Delete a question',
    params: IdParams,
    errors: [404],
  },
  'GET /internal/analytics/content': { access: 'internal', response: ContentLive },
  'GET /internal/live': { access: 'internal', response: ContentLive },
  ...failedEndpoints('content'),
});
