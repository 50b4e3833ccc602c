import { createAdminsApi } from '@daylift/api-client/admins';
import { createAdminAnalyticsApi } from '@daylift/api-client/analytics';
import { createAdminBillingApi, createBillingApi } from '@daylift/api-client/billing';
import { createFreezeApi } from '@daylift/api-client/freeze';
import { createAdminInboxApi } from '@daylift/api-client/inbox';
import { createAdminLiveApi } from '@daylift/api-client/live';
import { createMissedApi } from '@daylift/api-client/missed';
import { createAdminParkedApi } from '@daylift/api-client/parked';
import { createPeopleApi } from '@daylift/api-client/people';
import { createRehearsalApi } from '@daylift/api-client/rehearsal';
import { createClient } from '@daylift/api-client/request';
import { createAdminSchedulerApi } from '@daylift/api-client/scheduler';
import { createAdminSmsApi } from '@daylift/api-client/sms';
import { createSmsOperationsApi } from '@daylift/api-client/sms-operations';
import { createTimelineApi } from '@daylift/api-client/timeline';
import { adminToken } from './session/token.ts';

/** The one client of this app. A refused token ends the session in every tab. */
const client = createClient({ readToken: adminToken.read, onSessionEnded: adminToken.clear });
export const { call } = client;

export const admins = createAdminsApi(client);
export const analytics = createAdminAnalyticsApi(client);
export const billing = createAdminBillingApi(client);
export const catalogue = createBillingApi(client);
export const inbox = createAdminInboxApi(client);
export const missed = createMissedApi(client);
export const parked = createAdminParkedApi(client);
export const people = createPeopleApi(client);
export const live = createAdminLiveApi(client);
export const freeze = createFreezeApi(client);
export const rehearsal = createRehearsalApi(client);
export const scheduler = createAdminSchedulerApi(client);
export const sms = createAdminSmsApi(client);
export const smsOperations = createSmsOperationsApi(client);
export const timeline = createTimelineApi(client);
