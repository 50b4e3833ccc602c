import { createTokenStore } from '@daylift/api-client/token-store';
import { useSyncExternalStore } from 'react';

/** The admin token, separate from the subscriber's. */
export const adminToken = createTokenStore('admin_token');

export const useAdminToken = (): string | null =>
  useSyncExternalStore(adminToken.watch, adminToken.read, () => null);
