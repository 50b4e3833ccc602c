import { ExportPart } from './accounts.http.ts';
import { defineApi } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { IdParams, NoFields } from './fields.ts';
import { Forecast, ForecastQuery, ForecastSkips, ForecastSkipsQuery } from './forecast.http.ts';
import { SchedulerLive } from './live.http.ts';
import { LoadQuery, SchedulerLoad } from './load.http.ts';
import {
  Audience,
  DeliverySlots,
  ManualSendPreview,
  ManualSendRequest,
  ManualSendResult,
  NextText,
  NextTextPreviewRequest,
  SchedulerRun,
  SchedulerStatus,
} from './scheduler.http.ts';
import {
  DayParams,
  DaySpan,
  Schedule,
  SchedulePart,
  TimelinePartQuery,
} from './timeline-parts.http.ts';
import { UndeliveredQuery, UndeliveredTexts } from './undelivered.http.ts';

export const schedulerApi = defineApi('scheduler', {
  'GET /users/me/next-text': {
    access: 'user',
    summary: 'When the next text comes, or why none does',
    response: NextText,
  },
  'POST /users/me/next-text/preview': {
    access: 'user',
    summary: 'When it would come with other settings',
    body: NextTextPreviewRequest,
    response: NextText,
  },
  'GET /admin/audience': {
    access: 'viewer',
    summary: 'How many people may receive a text now, and the cost of one',
    response: Audience,
  },
  'POST /admin/scheduled-messages/:id/send-now': {
    access: 'operator',
    summary: 'Send a message to everyone now',
    params: IdParams,
    body: ManualSendRequest,
    response: ManualSendResult,
    errors: [404, 409],
    slow: true,
  },
  'GET /admin/scheduled-messages/:id/send-preview': {
    access: 'viewer',
    summary: 'Who would receive it, and its cost',
    params: IdParams,
    response: ManualSendPreview,
    errors: [404, 409],
  },
  'POST /admin/send-todays-message': {
    access: 'operator',
    summary: "Send today's message to everyone now",
    body: ManualSendRequest,
    response: ManualSendResult,
    errors: [404, 409],
    slow: true,
  },
  'GET /admin/send-todays-message/preview': {
    access: 'viewer',
    summary: 'Who would receive it, and its cost',
    response: ManualSendPreview,
    errors: [404, 409],
  },
  'POST /admin/scheduler/run': {
    access: 'operator',
    summary: 'Run the scheduler now',
    body: NoFields,
    response: SchedulerRun,
    slow: true,
  },
  'GET /admin/scheduler/status': {
    access: 'viewer',
    summary: 'Jobs, people due, and whether the scheduler is running',
    response: SchedulerStatus,
  },
  'GET /admin/scheduler/delivery-slots': {
    access: 'viewer',
    summary: 'Subscribers by hour of the day',
    response: DeliverySlots,
  },
  'GET /admin/scheduler/load': {
    access: 'viewer',
    summary: 'Texts by hour for the coming day',
    query: LoadQuery,
    response: SchedulerLoad,
  },
  'GET /admin/missed': {
    access: 'viewer',
    summary: 'Who was due on a date and got no text, and why',
    query: UndeliveredQuery,
    response: UndeliveredTexts,
  },
  'GET /admin/rehearsal': {
    access: 'viewer',
    summary: 'Preview of the next 48 hours',
    query: ForecastQuery,
    response: Forecast,
  },
  'GET /admin/rehearsal/skipped': {
    access: 'viewer',
    summary: 'Who would be skipped in the next 48 hours, by reason',
    query: ForecastSkipsQuery,
    response: ForecastSkips,
  },
  'GET /internal/live': { access: 'internal', response: SchedulerLive },
  'GET /internal/export/:id': { access: 'internal', params: IdParams, response: ExportPart },
  'GET /internal/timeline/:id': {
    access: 'internal',
    params: IdParams,
    query: TimelinePartQuery,
    response: SchedulePart,
  },
  'GET /internal/days/:id/:date': {
    access: 'internal',
    params: DayParams,
    query: DaySpan,
    response: SchedulePart,
  },
  'GET /internal/schedule/:id': { access: 'internal', params: IdParams, response: Schedule },
  ...failedEndpoints('scheduler'),
});
