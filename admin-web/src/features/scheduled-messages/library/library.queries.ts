import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type {
  CreateTemplateRequest,
  UpdateSequenceTextRequest,
  UpdateTemplateRequest,
} from '@daylift/contracts/library.http';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiQuery, call } from '../../../api.ts';

export const pageSize = 25;

export interface LibraryFilters {
  search: string;
  status: 'active' | 'inactive' | '';
}

export const templatesQuery = ({ search, status }: LibraryFilters, offset: number) =>
  queryOptions({
    queryKey: ['templates', search, status, offset],
    queryFn: ({ signal }) =>
      call('GET /admin/templates', {
        query: {
          limit: pageSize,
          offset,
          search: search.trim() || undefined,
          status: status || undefined,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** Library changes affect the list, the calendar and the dashboard. */
const useRefreshed = () =>
  useRefresh('templates', 'content-calendar', 'library-runway', 'analytics');

export const useCreateTemplate = () =>
  useAction({
    mutationFn: (body: CreateTemplateRequest) => call('POST /admin/templates', { body }),
    onSuccess: useRefreshed(),
  });

export const useUpdateTemplate = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateTemplateRequest }) =>
      call('PUT /admin/templates/:id', { params: { id }, body }),
    onSettled: useRefreshed(),
  });

export const useDeleteTemplate = () =>
  useAction({
    mutationFn: (id: string) => call('DELETE /admin/templates/:id', { params: { id } }),
    onSuccess: useRefreshed(),
  });

export const sequenceTextsQuery = apiQuery(['sequence-texts'], 'GET /admin/sequence-texts');

export const useUpdateSequenceText = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateSequenceTextRequest }) =>
      call('PUT /admin/sequence-texts/:id', { params: { id }, body }),
    onSettled: useRefresh('sequence-texts'),
  });
