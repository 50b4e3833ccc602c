import { describeError } from '@daylift/api-client/operators-errors';
import type { AdminInvitation } from '@daylift/contracts/admins.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { ErrorState } from '@daylift/ui/ErrorState';
import { TextSkeleton } from '@daylift/ui/Skeletons';
import { Stack, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Section } from '../../components/Section.tsx';
import { adminQuery } from '../../session/use-admin.ts';
import { type AdminChange, AdminChangeDialog } from './AdminChangeDialog.tsx';
import { AdminsTable } from './AdminsTable.tsx';
import { adminsQuery } from './admins.queries.ts';
import { InvitationNotice } from './InvitationNotice.tsx';
import { InviteForm } from './InviteForm.tsx';

const List = ({ ownId, onChange }: { ownId: string; onChange: (change: AdminChange) => void }) => {
  const { data, error, isPending, isFetching, refetch } = useQuery(adminsQuery);
  if (isPending) return <TextSkeleton lines={4} />;
  if (data === undefined)
    return (
      <ErrorState
        message={describeError('load page', error)}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  return <AdminsTable rows={data} ownId={ownId} onChange={onChange} />;
};

const Management = ({ ownId }: { ownId: string }) => {
  const [invitation, setInvitation] = useState<AdminInvitation | null>(null);
  const [change, setChange] = useState<AdminChange | null>(null);
  return (
    <>
      {invitation ? (
        <InvitationNotice invitation={invitation} onClose={() => setInvitation(null)} />
      ) : null}
      <Section title="Admins with access">
        <List ownId={ownId} onChange={setChange} />
      </Section>
      <Section title="Invite an admin">
        <InviteForm onInvited={setInvitation} />
      </Section>
      {change ? (
        <AdminChangeDialog
          key={`${change.kind} ${change.admin.id}`}
          change={change}
          onInvited={setInvitation}
          onClose={() => setChange(null)}
        />
      ) : null}
    </>
  );
};

export const AdminsTab = () => {
  const { data: own } = useQuery(adminQuery);
  return (
    <Stack gap="lg">
      <VisuallyHidden>
        <Title order={1}>Admins</Title>
      </VisuallyHidden>
      {own === undefined ? <TextSkeleton lines={4} /> : null}
      {own?.role === 'owner' ? <Management ownId={own.id} /> : null}
      {own !== undefined && own.role !== 'owner' ? (
        <EmptyState title="Only owners can manage admins">
          Ask an owner to add an admin or change a role.
        </EmptyState>
      ) : null}
    </Stack>
  );
};
