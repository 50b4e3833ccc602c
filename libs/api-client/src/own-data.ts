import { download } from './download.ts';
import type { Client } from './request.ts';

export const createOwnDataApi = (client: Pick<Client, 'send'>) => ({
  exportData: () => download(client, 'GET /users/me/export'),
});
