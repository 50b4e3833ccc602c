import type { Cohort } from '@daylift/contracts/business.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { formatCount, formatMonth } from '@daylift/ui/formats';
import { Stack, Table, Text } from '@mantine/core';
import { Section } from '../../components/Section.tsx';
import { retentionInWords } from './words.ts';

/** Retention by month of signup: one row per month, one column per month since. */
export const CohortsSection = ({ cohorts }: { cohorts: Cohort[] }) => {
  const longest = Math.max(0, ...cohorts.map(({ paying }) => paying.length));
  const months = Array.from({ length: longest }, (_, month) => month);
  return (
    <Section title="Retention by signup month" folds>
      <Stack gap="md">
        <Text c="dimmed">
          Of the subscribers who signed up in a month and have ever paid, the share still paying at
          the end of that month (month 0) and of each later month. The last month ends with the
          range.
        </Text>
        {cohorts.length === 0 ? (
          <EmptyState title="No signups in the last 12 months" />
        ) : (
          <Table.ScrollContainer
            minWidth={`${15 + longest * 5}rem`}
            type="native"
            tabIndex={0}
            role="region"
            aria-label="Retention table"
          >
            <Table aria-label="Retention by signup month" verticalSpacing="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Signup month</Table.Th>
                  <Table.Th ta="right">Signups</Table.Th>
                  <Table.Th ta="right">Ever paid</Table.Th>
                  {months.map((month) => (
                    <Table.Th key={month} ta="right">
                      Month {month}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {cohorts.map(({ month, signups, paid, paying }) => (
                  <Table.Tr key={month}>
                    <Table.Th scope="row">{formatMonth(month)}</Table.Th>
                    <Table.Td ta="right">{formatCount(signups)}</Table.Td>
                    <Table.Td ta="right">{formatCount(paid)}</Table.Td>
                    {months.map((index) => (
                      <Table.Td key={index} ta="right">
                        {retentionInWords({ paid, paying }, index)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </Stack>
    </Section>
  );
};
