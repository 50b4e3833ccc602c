import { useAction } from '@daylift/api-client/use-action';
import type { UpdateTemplateRequest } from '@daylift/contracts/library.http';
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import { content } from '../../../api.ts';

export const pageSize = 25;

export interface LibraryFilters {
  search: string;
  status: 'active' | 'inactive' | '';
}

export const templatesQuery = ({ search, status }: LibraryFilters, offset: number) =>
  queryOptions({
    queryKey: ['templates', search, status, offset],
    queryFn: ({ signal }) =>
      content.listTemplates(
        {
          limit: pageSize,
          offset,
          ...(search.trim() === '' ? {} : { search: search.trim() }),
          ...(status === '' ? {} : { status }),
        },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

/** The library shows in its list, in the calendar and in the dashboard's figures. */
const useRefresh = () => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      ['templates', 'content-calendar', 'analytics'].map((name) =>
        queryClient.invalidateQueries({ queryKey: [name] }),
      ),
    );
};

export const useCreateTemplate = () =>
  useAction({ mutationFn: content.createTemplate, onSuccess: useRefresh() });

export const useUpdateTemplate = () =>
  useAction({
    mutationFn: ({ id, body }: { id: string; body: UpdateTemplateRequest }) =>
      content.updateTemplate(id, body),
    onSettled: useRefresh(),
  });

export const useDeleteTemplate = () =>
  useAction({ mutationFn: content.deleteTemplate, onSuccess: useRefresh() });
