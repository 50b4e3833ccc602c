import { Type } from 'typebox';
import { ExportPart } from './accounts.http.ts';
import { defineApi, operator, user, viewer } from './endpoint.ts';
import { failedEndpoints } from './failed.api.ts';
import { NoFields } from './fields.ts';
import { Forecast, ForecastQuery, ForecastSkips, ForecastSkipsQuery } from './forecast.http.ts';
import { LibraryRunway } from './library-runway.http.ts';
import { SchedulerLive } from './live.http.ts';
import { SchedulerToday } from './load.http.ts';
import {
  Audience,
  CanceledHeldTexts,
  DeliverySlots,
  HeldTexts,
  ManualSendPreview,
  ManualSendRequest,
  ManualSendResult,
  NextText,
  NextTextPreviewRequest,
  SchedulerRun,
  SchedulerStatus,
  TodaysSendRequest,
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
  'GET /users/me/next-text': user('When the next text comes, or why none does', {
    response: NextText,
  }),
  'POST /users/me/next-text/preview': user('When the next text would come with other settings', {
    body: NextTextPreviewRequest,
    response: NextText,
  }),
  'GET /admin/audience': viewer('How many people may receive a text now, and the cost of one', {
    response: Audience,
  }),
  'POST /admin/scheduled-messages/:id/send-now': operator('Send a message to everyone now', {
    body: ManualSendRequest,
    response: ManualSendResult,
    errors: [409],
    slow: true,
  }),
  'GET /admin/scheduled-messages/:id/send-preview': viewer(
    'Recipients and cost of sending a message now',
    {
      response: ManualSendPreview,
      errors: [409],
    },
  ),
  'POST /admin/send-todays-message': operator("Send today's message to everyone now", {
    body: TodaysSendRequest,
    response: ManualSendResult,
    errors: [404, 409],
    slow: true,
  }),
  'GET /admin/send-todays-message/preview': viewer(
    "Recipients and cost of sending today's message now",
    {
      response: ManualSendPreview,
      errors: [404, 409],
    },
  ),
  'GET /admin/held-texts': viewer('Texts of manual sends held until morning', {
    response: Type.Array(HeldTexts),
  }),
  'POST /admin/scheduled-messages/:id/cancel-held': operator("Cancel a manual send's held texts", {
    body: NoFields,
    response: CanceledHeldTexts,
    errors: [409],
    slow: true,
  }),
  'POST /admin/scheduler/run': operator('Run the scheduler now', {
    body: NoFields,
    response: SchedulerRun,
    slow: true,
  }),
  'GET /admin/scheduler/status': viewer('Jobs, people due, and whether the scheduler is running', {
    response: SchedulerStatus,
  }),
  'GET /admin/scheduler/delivery-slots': viewer('Subscribers by hour of the day', {
    response: DeliverySlots,
  }),
  'GET /admin/scheduler/today': viewer('What is left to send today', {
    response: SchedulerToday,
  }),
  'GET /admin/missed': viewer('Who was due on a date and got no text, and why', {
    query: UndeliveredQuery,
    response: UndeliveredTexts,
  }),
  'GET /admin/rehearsal': viewer('Preview of the next 48 hours', {
    query: ForecastQuery,
    response: Forecast,
  }),
  'GET /admin/rehearsal/skipped': viewer('Who would be skipped in the next 48 hours, by reason', {
    query: ForecastSkipsQuery,
    response: ForecastSkips,
  }),
  'GET /admin/library/runway': viewer('How many days the library lasts, by category', {
    response: LibraryRunway,
  }),
  'GET /internal/live': { access: 'internal', response: SchedulerLive },
  'GET /internal/export/:id': { access: 'internal', response: ExportPart },
  'GET /internal/timeline/:id': {
    access: 'internal',
    query: TimelinePartQuery,
    response: SchedulePart,
  },
  'GET /internal/days/:id/:date': {
    access: 'internal',
    params: DayParams,
    query: DaySpan,
    response: SchedulePart,
  },
  'GET /internal/schedule/:id': { access: 'internal', response: Schedule },
  ...failedEndpoints('scheduler'),
});
