import type { Me } from '@daylift/contracts/accounts.http';
import { Fact, FactList } from '@daylift/ui/FactList';
import { Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { DashboardCard } from '../../components/DashboardCard.tsx';
import { useFocusBack } from '../../components/use-focus-back.ts';
import { ChangePasswordForm } from './ChangePasswordForm.tsx';

export const AccountSecurityCard = ({ user }: { user: Me }) => {
  const [changing, setChanging] = useState(false);
  const opener = useFocusBack(changing);
  return (
    <DashboardCard
      title="Account Security"
      action={
        changing ? null : (
          <Button ref={opener} variant="default" onClick={() => setChanging(true)}>
            Change Password
          </Button>
        )
      }
    >
      {changing ? (
        <ChangePasswordForm email={user.email} onClose={() => setChanging(false)} />
      ) : (
        <FactList>
          <Fact name="Password">
            <span aria-hidden="true">••••••••</span>
            <VisuallyHidden>Hidden</VisuallyHidden>
          </Fact>
        </FactList>
      )}
    </DashboardCard>
  );
};
