import { createAdminLiveApi } from '@daylift/api-client/live';
import { createApiQuery } from '@daylift/api-client/queries';
import { createClient } from '@daylift/api-client/request';
import { adminToken } from './session/token.ts';

/** The API client of the admin pages. A rejected token ends the session in every tab. */
export const client = createClient({
  readToken: adminToken.read,
  onSessionEnded: adminToken.clear,
});
export const { call } = client;
export const apiQuery = createApiQuery(call);

export const live = createAdminLiveApi(client);
