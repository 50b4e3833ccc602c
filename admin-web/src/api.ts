import { createFreezeApi } from '@daylift/api-client/freeze';
import { createAdminLiveApi } from '@daylift/api-client/live';
import { createClient } from '@daylift/api-client/request';
import { createAdminSmsApi } from '@daylift/api-client/sms';
import { createSmsOperationsApi } from '@daylift/api-client/sms-operations';
import { adminToken } from './session/token.ts';

/** The API client of the admin pages. A rejected token ends the session in every tab. */
const client = createClient({ readToken: adminToken.read, onSessionEnded: adminToken.clear });
export const { call } = client;

export const live = createAdminLiveApi(client);
export const freeze = createFreezeApi(client);
export const sms = createAdminSmsApi(client);
export const smsOperations = createSmsOperationsApi(client);
