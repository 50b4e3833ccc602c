import { createApiQuery } from '@daylift/api-client/queries';
import { createClient } from '@daylift/api-client/request';
import { readCallToken, sessionRefused } from './session/keep-session.ts';

/** The API client of this app. A rejected token ends the session in every tab. */
export const client = createClient({ readToken: readCallToken, onSessionEnded: sessionRefused });
export const { call } = client;
export const apiQuery = createApiQuery(call);
