import type { AdminInvitation } from '@daylift/contracts/admins.http';
import { EmptyState } from '@daylift/ui/EmptyState';
import { QueryView } from '@daylift/ui/QueryView';
import { TextSkeleton } from '@daylift/ui/Skeletons';
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
  const query = useQuery(adminsQuery);
  return (
    <QueryView query={query} lines={4}>
      {(data) => <AdminsTable rows={data} ownId={ownId} onChange={onChange} />}
    </QueryView>
  );
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
    <>
      {own === undefined ? <TextSkeleton lines={4} /> : null}
      {own?.role === 'owner' ? <Management ownId={own.id} /> : null}
      {own !== undefined && own.role !== 'owner' ? (
        <EmptyState title="Only owners can manage admins">
          Ask an owner to add an admin or change a role.
        </EmptyState>
      ) : null}
    </>
  );
};
