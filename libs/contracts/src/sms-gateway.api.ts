import { Type } from 'typebox';
import { Recipient } from './accounts.events.ts';
import { Done, ExportPart } from './accounts.http.ts';
import { defineApi, operator, user, viewer } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import {
  FreezeRequest,
  FreezeState,
  LiftPreview,
  LiftRequest,
  TryProviderResult,
} from './freeze.http.ts';
import { AnswerTexts, AnswerTextsQuery, InboundReply } from './inbox.http.ts';
import { SmsLive } from './live.http.ts';
import { OptOutRequest } from './managed-users.http.ts';
import {
  NewSender,
  Sender,
  SenderChange,
  SenderLoad,
  SenderLoadQuery,
  SenderParams,
  SenderPool,
} from './senders.http.ts';
import {
  BatchQuery,
  Calendar,
  CalendarQuery,
  History,
  HistoryQuery,
  OwnSender,
  QueueFigures,
  QueueRun,
  SmsBatchList,
  SmsStats,
  TextPrice,
  UserAnalytics,
  WaitingTexts,
  WaitingTextsQuery,
} from './sms.http.ts';
import {
  AlertSettings,
  AlertSettingsRequest,
  DailyStatsList,
  DailyStatsQuery,
  HourlyStatsList,
  HourlyStatsQuery,
  LogExportQuery,
  LoggedTextList,
  LogQuery,
  ProviderErrorList,
  ProviderInfo,
  TestingModeRequest,
  TestingModeSettings,
  TestTextRequest,
} from './sms-operations.http.ts';
import { DayParams, DaySpan, OptOut, TextsPart, TimelinePartQuery } from './timeline-parts.http.ts';
import { FailedDeliveries, FailedDeliveriesQuery } from './undelivered.http.ts';
import { Received, WebhookResponses, WebhookSet } from './webhook.ts';

export const smsGatewayApi = defineApi('sms-gateway', {
  'POST /admin/scheduler/process-queue': operator(
    'Process the queue until it is empty or 20 s have passed',
    { response: QueueRun, errors: [409], slow: true },
  ),
  'POST /admin/users/:id/opt-out': operator('Opt out a subscriber who asked to stop', {
    body: OptOutRequest,
    response: Done,
  }),
  'POST /admin/test-texts': operator('Send a test text to your own phone', {
    body: TestTextRequest,
    response: Done,
    errors: [409, 429],
  }),
  'GET /admin/freeze': viewer('Whether all sending is stopped, and what is waiting', {
    response: FreezeState,
  }),
  'POST /admin/freeze': operator('Stop all sending within a second', {
    body: FreezeRequest,
    response: FreezeState,
  }),
  'GET /admin/freeze/lift-preview': viewer(
    'What would happen to waiting texts if sending resumed',
    { response: LiftPreview },
  ),
  'POST /admin/freeze/lift': operator('Resume sending, with or without missed texts', {
    body: LiftRequest,
    response: FreezeState,
    errors: [409],
  }),
  'POST /admin/send-pause/try': operator('Send one text to test whether the provider works again', {
    response: TryProviderResult,
    errors: [409],
    slow: true,
  }),
  'GET /admin/sms-batches': viewer('The latest batches', {
    query: BatchQuery,
    response: SmsBatchList,
  }),
  'POST /admin/sms-batches/:id/resume': operator('Send the rest of a stopped batch', {
    response: Done,
    errors: [409],
  }),
  'POST /admin/sms-batches/:id/cancel': operator('Cancel the held texts of a stopped batch', {
    response: Done,
    errors: [409],
  }),
  'GET /admin/sms-system/errors': viewer(
    'Provider error codes, how each is handled, and how often each occurred',
    { response: ProviderErrorList },
  ),
  'GET /admin/sms-stats': viewer('Texts sent, their success and cost', { response: SmsStats }),
  'GET /admin/sms-stats/daily': viewer('Outcomes of texts by day', {
    query: DailyStatsQuery,
    response: DailyStatsList,
  }),
  'GET /admin/sms-stats/hourly': viewer('Success and failure by hour', {
    query: HourlyStatsQuery,
    response: HourlyStatsList,
  }),
  'GET /admin/sms-system/provider': viewer(
    'How sending is set up, its cost, and whether it is paused',
    { response: ProviderInfo },
  ),
  'GET /admin/sms-logs': viewer('Every text with its state and reason, newest first', {
    query: LogQuery,
    response: LoggedTextList,
  }),
  'GET /admin/messages': viewer('The texts that were sent, newest first', {
    query: LogQuery,
    response: LoggedTextList,
  }),
  'GET /admin/sms-logs/export': operator('The delivery report as CSV', {
    query: LogExportQuery,
    response: Type.String(),
    type: 'text/csv',
  }),
  'GET /admin/settings/testing-mode': viewer('Whether testing mode is on, and its test number', {
    response: TestingModeSettings,
  }),
  'POST /admin/settings/testing-mode': operator('Turn testing mode on or off', {
    body: TestingModeRequest,
    response: TestingModeSettings,
    errors: [409],
  }),
  'GET /admin/settings/alert-email': viewer('Address and threshold of failure alerts', {
    response: AlertSettings,
  }),
  'POST /admin/settings/alert-email': operator(
    'Change the address and threshold of failure alerts',
    {
      body: AlertSettingsRequest,
      response: AlertSettings,
    },
  ),
  'GET /admin/senders': viewer('The sending numbers with their limits and load', {
    response: SenderPool,
  }),
  'POST /admin/senders': operator('Add a sending number', {
    body: NewSender,
    response: Sender,
    errors: [409],
  }),
  'PUT /admin/senders/:number': operator("Change a sending number's limits or state", {
    params: SenderParams,
    body: SenderChange,
    response: Sender,
    errors: [404, 409],
  }),
  'GET /users/me/sms-history': user('Texts received, newest first, with search', {
    query: HistoryQuery,
    response: History,
  }),
  'GET /users/me/calendar': user('The days of a month on which a text was delivered', {
    query: CalendarQuery,
    response: Calendar,
  }),
  'GET /users/me/analytics': user('Message totals and the streak', { response: UserAnalytics }),
  'GET /users/me/sender': user('The number your texts come from', { response: OwnSender }),
  /** Inbound texts, which the gateway forwards immediately. */
  'POST /webhooks/telnyx/inbound': {
    access: 'webhook',
    rate: 'none',
    response: Received,
    errors: [401],
  },
  'POST /webhooks/telnyx/:dispatch': {
    access: 'webhook',
    rate: 'none',
    params: Type.Object({ dispatch: Type.String({ minLength: 1, maxLength: 100 }) }),
    response: Received,
    errors: [401],
    collectedBy: '/internal/webhooks/telnyx',
  },
  'POST /internal/webhooks/telnyx': {
    access: 'internal',
    large: true,
    body: WebhookSet,
    response: WebhookResponses,
  },
  'GET /internal/analytics/sms': { access: 'internal', response: SmsStats },
  'GET /internal/price': { access: 'internal', response: TextPrice },
  'GET /internal/queue': { access: 'internal', response: QueueFigures },
  'GET /internal/waiting-texts': {
    access: 'internal',
    query: WaitingTextsQuery,
    response: WaitingTexts,
  },
  'GET /internal/live': { access: 'internal', response: SmsLive },
  'GET /internal/undelivered': {
    access: 'internal',
    query: FailedDeliveriesQuery,
    response: FailedDeliveries,
  },
  'GET /internal/export/:id': { access: 'internal', response: ExportPart },
  'GET /internal/inbound/:id': {
    access: 'internal',
    params: Type.Object({ id: Type.String({ maxLength: 300 }) }),
    response: InboundReply,
  },
  'GET /internal/answers': { access: 'internal', query: AnswerTextsQuery, response: AnswerTexts },
  'GET /internal/timeline/:id': {
    access: 'internal',
    query: TimelinePartQuery,
    response: TextsPart,
  },
  'GET /internal/days/:id/:date': {
    access: 'internal',
    params: DayParams,
    query: DaySpan,
    response: TextsPart,
  },
  'POST /internal/recipients': { access: 'internal', body: Recipient },
  'POST /internal/sender-load': { access: 'internal', body: SenderLoadQuery, response: SenderLoad },
  'GET /internal/opt-out/:id': { access: 'internal', response: OptOut },
  ...failedEndpoints('sms-gateway'),
});
