import type { Template } from '@daylift/contracts/content.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { Badge } from '@daylift/ui/StatusBadge';
import { Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Column, DataTable } from '../../../components/DataTable.tsx';
import { RowButton } from '../../../components/RowButton.tsx';
import { TablePages } from '../../../components/TablePages.tsx';
import { useLastPage } from '../../../components/use-last-page.ts';
import { useMay } from '../../../session/use-admin.ts';
import { ActiveSwitch } from './ActiveSwitch.tsx';
import { type LibraryFilters, pageSize, templatesQuery } from './library.queries.ts';

const columns = (may: boolean): Column<Template>[] => [
  { header: 'Title', isTitle: true, cell: (template) => <Text fw={700}>{template.title}</Text> },
  { header: 'Content', cell: (template) => template.content },
  {
    header: 'Tags',
    cell: (template) => [template.category, ...template.tags].join(', '),
  },
  {
    header: 'Active',
    cell: (template) =>
      may ? (
        <ActiveSwitch template={template} />
      ) : (
        <Badge tone={template.is_active ? 'green' : 'grey'}>
          {template.is_active ? 'Active' : 'Inactive'}
        </Badge>
      ),
  },
];

type TemplateHandler = (template: Template) => void;

const actionsColumn = (onEdit: TemplateHandler, onDelete: TemplateHandler): Column<Template> => ({
  header: 'Actions',
  cell: (template) => (
    <Group gap="xs" wrap="nowrap">
      <RowButton label="Edit" row={template.title} onClick={() => onEdit(template)} />
      <RowButton label="Delete" row={template.title} onClick={() => onDelete(template)} />
    </Group>
  ),
});

export const TemplatesTable = ({
  onEdit,
  onDelete,
}: {
  onEdit: TemplateHandler;
  onDelete: TemplateHandler;
}) => {
  const may = useMay('operator');
  const [offset, setOffset] = useState(0);
  const [filters, setFilters] = useState<LibraryFilters>({ search: '', status: '' });
  const [search] = useDebouncedValue(filters.search, 300);
  const query = useQuery(templatesQuery({ ...filters, search }, offset));
  useLastPage(query.data, { offset, limit: pageSize, onChange: setOffset });
  const change = (part: Partial<LibraryFilters>) => {
    setFilters({ ...filters, ...part });
    setOffset(0);
  };
  return (
    <QueryView query={query} lines={5}>
      {(data) => (
        <Stack gap="md">
          <Group gap="sm" align="flex-end">
            <TextInput
              label="Search the library"
              type="search"
              maxLength={100}
              value={filters.search}
              onChange={(event) => change({ search: event.currentTarget.value })}
            />
            <NativeSelect
              label="Show"
              value={filters.status}
              onChange={(event) =>
                change({ status: event.currentTarget.value as LibraryFilters['status'] })
              }
              data={[
                { value: '', label: 'All' },
                { value: 'active', label: 'Active' },
                { value: 'inactive', label: 'Inactive' },
              ]}
            />
          </Group>
          {data.rows.length === 0 ? (
            <EmptyState title="No matches">Try another search, or add a message.</EmptyState>
          ) : (
            <div>
              <DataTable
                label="Library"
                columns={may ? [...columns(may), actionsColumn(onEdit, onDelete)] : columns(may)}
                rows={data.rows}
                rowKey={(template) => template.id}
              />
              <TablePages
                offset={offset}
                limit={pageSize}
                total={data.total}
                onChange={setOffset}
              />
            </div>
          )}
        </Stack>
      )}
    </QueryView>
  );
};
