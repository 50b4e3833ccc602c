import type { AdminRole } from '@daylift/contracts/fields';
import { QueryView } from '@daylift/ui/QueryView';
import { Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMay } from '../session/use-admin.ts';
import { Section } from './Section.tsx';

/** Settings that every admin sees, with a form for those who may change them. */
export const SettingsSection = <T,>({
  title,
  query,
  changedBy,
  summary,
  form,
}: {
  title: string;
  query: UseQueryResult<T>;
  /** The lowest role that may change them. */
  changedBy: Exclude<AdminRole, 'viewer'>;
  summary: (settings: T) => ReactNode;
  form: (settings: T) => ReactNode;
}) => {
  const may = useMay(changedBy);
  return (
    <Section title={title}>
      <QueryView query={query} lines={4}>
        {(settings) => (
          <Stack gap="sm">
            {summary(settings)}
            {may ? form(settings) : <Text c="dimmed">Only {changedBy}s can change this.</Text>}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
};
