import { download } from './download.ts';
import type { Client } from './request.ts';

/** All that is kept about whoever is signed in. */
export const createOwnDataApi = (client: Pick<Client, 'send'>) => ({
  exportData: () => download(client, 'GET /users/me/export'),
});
