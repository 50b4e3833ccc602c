import { SimpleGrid } from '@mantine/core';
import { Section } from '../../components/Section.tsx';
import { AlertSettingsCard } from './AlertSettingsCard.tsx';
import { BatchesTable } from './BatchesTable.tsx';
import { Controls } from './Controls.tsx';
import { DailyStatistics } from './DailyStatistics.tsx';
import { ErrorsTable } from './ErrorsTable.tsx';
import { HourDistribution } from './HourDistribution.tsx';
import { ProviderCard } from './ProviderCard.tsx';
import { QueueCards } from './QueueCards.tsx';
import { SendersCard } from './SendersCard.tsx';
import { TestingModeCard } from './TestingModeCard.tsx';

export { AlertSettingsCard } from './AlertSettingsCard.tsx';
export { DeliveryLog } from './DeliveryLog.tsx';
export { TestingModeCard } from './TestingModeCard.tsx';

export const Overview = () => (
  <>
    <QueueCards />
    <Controls />
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <TestingModeCard />
      <AlertSettingsCard />
    </SimpleGrid>
  </>
);

export const Statistics = () => (
  <>
    <DailyStatistics />
    <HourDistribution />
  </>
);

export const Batches = () => (
  <Section title="Recent Batches">
    <BatchesTable />
  </Section>
);

export const Provider = () => (
  <>
    <ProviderCard />
    <SendersCard />
  </>
);

export const ProviderErrors = () => (
  <Section title="Provider errors">
    <ErrorsTable />
  </Section>
);
