import { Type } from 'typebox';
import { SequenceText } from './content.events.ts';
import {
  CreateScheduledMessageRequest,
  FaqList,
  ScheduledMessage,
  ScheduledMessageList,
  Template,
  TemplateList,
} from './content.http.ts';
import { anyone, defineApi, operator, viewer } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import {
  CreateFaqRequest,
  CreateTemplateRequest,
  EditableFaq,
  EditableFaqList,
  OrderFaqsRequest,
  TemplateQuery,
  UpdateFaqRequest,
  UpdateSequenceTextRequest,
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
  'GET /faqs': anyone('Questions and answers', { response: FaqList }),
  'GET /admin/scheduled-messages': viewer('Scheduled messages, newest date first', {
    query: ScheduledMessageQuery,
    response: ScheduledMessageList,
    paged: true,
  }),
  'POST /admin/scheduled-messages': operator('Schedule a message', {
    body: CreateScheduledMessageRequest,
    response: ScheduledMessage,
    status: 201,
    errors: [409],
  }),
  'GET /admin/scheduled-messages/calendar': viewer('The coming days, with and without a message', {
    query: CalendarQuery,
    response: ContentCalendar,
  }),
  'POST /admin/scheduled-messages/import': operator(
    'Schedule the messages in a CSV file, or only check it',
    { body: ImportRequest, response: ImportReport, errors: [409], large: true },
  ),
  'PUT /admin/scheduled-messages/:id': operator('Change a message that has not been sent', {
    body: UpdateScheduledMessageRequest,
    response: ScheduledMessage,
    errors: [409],
  }),
  'DELETE /admin/scheduled-messages/:id': operator('Delete a message that has not been sent', {
    errors: [409],
  }),
  'GET /admin/templates': viewer('The library of messages, with search', {
    query: TemplateQuery,
    response: TemplateList,
    paged: true,
  }),
  'POST /admin/templates': operator('Add a message to the library', {
    body: CreateTemplateRequest,
    response: Template,
    status: 201,
  }),
  'PUT /admin/templates/:id': operator('Change a message in the library, or turn it on or off', {
    body: UpdateTemplateRequest,
    response: Template,
    errors: [409],
  }),
  'DELETE /admin/templates/:id': operator('Remove a message from the library'),
  'GET /admin/sequence-texts': viewer('Texts for day 1, 7, 30 and 100', {
    response: Type.Array(SequenceText),
  }),
  'PUT /admin/sequence-texts/:id': operator('Change a sequence text, or turn it on or off', {
    body: UpdateSequenceTextRequest,
    response: SequenceText,
    errors: [409],
  }),
  'GET /admin/faqs': viewer('Questions and answers with their placeholders', {
    response: EditableFaqList,
  }),
  'POST /admin/faqs': operator('Add a question', {
    body: CreateFaqRequest,
    response: EditableFaq,
    status: 201,
    errors: [409],
  }),
  'PUT /admin/faqs/order': operator('Reorder the questions', {
    body: OrderFaqsRequest,
    response: EditableFaqList,
    errors: [409],
  }),
  'PUT /admin/faqs/:id': operator('Change a question', {
    body: UpdateFaqRequest,
    response: EditableFaq,
    errors: [409],
  }),
  'DELETE /admin/faqs/:id': operator('Delete a question'),
  'GET /internal/analytics/content': { access: 'internal', response: ContentLive },
  'GET /internal/live': { access: 'internal', response: ContentLive },
  ...failedEndpoints('content'),
});
