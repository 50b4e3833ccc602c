import { SimpleGrid } from '@mantine/core';
import { Section } from '../../components/Section.tsx';
import { TabPage } from '../../components/TabPage.tsx';
import { AlertSettingsCard } from './AlertSettingsCard.tsx';
import { BatchesTable } from './BatchesTable.tsx';
import { Controls } from './Controls.tsx';
import { DailyStatistics } from './DailyStatistics.tsx';
import { DeliveryLog } from './DeliveryLog.tsx';
import { HourDistribution } from './HourDistribution.tsx';
import { ProviderCard } from './ProviderCard.tsx';
import { QueueCards } from './QueueCards.tsx';
import { SendersCard } from './SendersCard.tsx';
import { TestingModeCard } from './TestingModeCard.tsx';

export const SmsSystemTab = () => (
  <TabPage title="SMS System">
    <QueueCards />
    <Controls />
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
      <TestingModeCard />
      <AlertSettingsCard />
    </SimpleGrid>
    <ProviderCard />
    <SendersCard />
    <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
      <DailyStatistics />
      <HourDistribution />
    </SimpleGrid>
    <Section title="Recent Batches">
      <BatchesTable />
    </Section>
    <DeliveryLog />
  </TabPage>
);
