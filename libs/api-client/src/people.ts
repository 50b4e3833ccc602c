import type {
  CreateUserRequest,
  CreateUserResponse,
  DeleteUserResponse,
  ToggleStatusResponse,
  UserListQuery,
} from '@daylift/contracts/people.http';
import type { Client } from './request.ts';

export const createPeopleApi = (client: Client) => {
  const { callPath: call } = client;
  return {
    listUsers: (query: UserListQuery, signal?: AbortSignal) =>
      client.call('GET /admin/users', { query, signal }),
    createUser: (body: CreateUserRequest) =>
      call<CreateUserResponse>('POST', '/admin/users/create', { body }),
    setUserActive: (id: string, is_active: boolean) =>
      call<ToggleStatusResponse>('POST', `/admin/users/${id}/toggle-status`, {
        body: { is_active },
      }),
    deleteUser: (id: string) => call<DeleteUserResponse>('DELETE', `/admin/users/${id}`),
  };
};
