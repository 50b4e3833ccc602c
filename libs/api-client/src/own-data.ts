import { download } from './download.ts';
import type { Client } from './request.ts';

/** All that is kept about whoever is signed in. */
export const createOwnDataApi = ({ send }: Pick<Client, 'send'>) => ({
  exportData: () => download(send, '/users/me/export'),
});
