import { SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCatalogue } from '../../catalogue.ts';
import { Section } from '../../components/Section.tsx';
import { roleLabel } from '../../session/roles.ts';
import { adminQuery } from '../../session/use-admin.ts';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';
import { TwoStepSection } from './TwoStepSection.tsx';

/** The signed-in admin's password and two-step sign-in. */
export const AccountPage = () => {
  const { data: own } = useQuery(adminQuery);
  const name = useCatalogue()?.product_name;
  return (
    <Stack gap="lg">
      <title>{`Account · ${name ?? ''} Admin`}</title>
      <div>
        <Title order={1} fz="1.5rem">
          Account
        </Title>
        {own ? (
          <Text c="dimmed">
            Signed in as {own.username}, {roleLabel(own.role)}
          </Text>
        ) : null}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        {own ? (
          <Section title="Two-step sign-in">
            <TwoStepSection own={own} />
          </Section>
        ) : null}
        <Section title="Change password">
          <ChangePasswordForm />
        </Section>
      </SimpleGrid>
    </Stack>
  );
};
