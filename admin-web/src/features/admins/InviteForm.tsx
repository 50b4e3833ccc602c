import { useRefresh } from '@daylift/api-client/queries';
import { useAction } from '@daylift/api-client/use-action';
import type { AdminInvitation, InviteAdminRequest } from '@daylift/contracts/admins.http';
import type { AdminRole } from '@daylift/contracts/fields';
import { capitalized } from '@daylift/ui/formats';
import { NativeSelect, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { call } from '../../api.ts';
import { ActionForm } from '../../components/ActionForm.tsx';
import { roles } from '../../session/roles.ts';

const username = /^[a-z0-9][a-z0-9._-]{1,49}$/;

export const InviteForm = ({ onInvited }: { onInvited: (invitation: AdminInvitation) => void }) => {
  const refresh = useRefresh('admins');
  const form = useForm({
    initialValues: { username: '', email: '', role: 'viewer' as AdminRole },
    validate: {
      username: (value) =>
        username.test(value) ? null : 'Use two or more lowercase letters, digits, dots or hyphens',
      email: (value) => (/^\S+@\S+\.\S+$/.test(value) ? null : 'Enter an email address'),
    },
  });
  const invite = useAction({
    mutationFn: (body: InviteAdminRequest) => call('POST /admin/admins', { body }),
    onSuccess: async (invitation) => {
      form.reset();
      onInvited(invitation);
      await refresh();
    },
  });
  return (
    <ActionForm
      form={form}
      onSubmit={(values) => invite.mutate(values)}
      mutation={invite}
      action="invite admin"
      submit="Invite"
      width="32rem"
    >
      <TextInput
        label="Username"
        autoCapitalize="none"
        autoComplete="off"
        maxLength={50}
        {...form.getInputProps('username')}
      />
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <NativeSelect
        label="Role"
        description={capitalized(roles.find(({ value }) => value === form.values.role)?.may ?? '')}
        data={roles.map(({ value, label }) => ({ value, label }))}
        {...form.getInputProps('role')}
      />
    </ActionForm>
  );
};
