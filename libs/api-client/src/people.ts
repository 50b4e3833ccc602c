import type { AdminUser } from '@daylift/contracts/accounts.http';
import type {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserResponse,
  ToggleStatusResponse,
  UserListQuery,
} from '@daylift/contracts/people.http';
import { callPaged } from './call-paged.ts';
import type { Client } from './request.ts';

/** What operators do with subscribers. */
export const createPeopleApi = ({ call, send }: Pick<Client, 'call' | 'send'>) => ({
  listUsers: (query: UserListQuery, signal?: AbortSignal) =>
    callPaged<AdminUser[]>(send, '/admin/users', { query, signal }),
  createUser: (body: CreateUserRequest) =>
    call<CreateUserResponse>('POST', '/admin/users/create', { body }),
  setUserActive: (id: string, is_active: boolean) =>
    call<ToggleStatusResponse>('POST', `/admin/users/${id}/toggle-status`, { body: { is_active } }),
  deleteUser: (id: string) => call<DeleteUserResponse>('DELETE', `/admin/users/${id}`),
});
