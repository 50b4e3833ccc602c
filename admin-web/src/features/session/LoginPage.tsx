import { describeError } from '@daylift/api-client/errors';
import { Logo } from '@daylift/ui/Logo';
import { useAction } from '@daylift/ui/use-action';
import { Alert, Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';

import { useNavigate } from 'react-router';
import { admins } from '../../api.ts';
import { useCatalogue } from '../../catalogue.ts';
import { paths } from '../../paths.ts';
import { adminToken } from '../../session/token.ts';
import classes from './LoginPage.module.css';

export const LoginPage = () => {
  const navigate = useNavigate();
  const name = useCatalogue()?.product_name;
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username: '', password: '' },
    validate: {
      username: (value) => (value.trim() === '' ? 'Please enter your username' : null),
      password: (value) => (value === '' ? 'Please enter your password' : null),
    },
  });
  const login = useAction({
    mutationFn: admins.logIn,
    onSuccess: ({ token }) => {
      adminToken.store(token);
      navigate(paths.dashboard, { replace: true });
    },
  });
  return (
    <main className={classes.page}>
      <title>{`Admin login · ${name ?? ''}`}</title>
      <form
        className={classes.card}
        onSubmit={form.onSubmit((values) => login.mutate(values))}
        noValidate
      >
        <Stack gap="md">
          <Logo name={name} size={36} />
          <Title order={1} fz="1.5rem">
            Admin login
          </Title>
          {login.isError ? (
            <Alert role="alert" color="red" title={describeError('admin log in', login.error)} />
          ) : null}
          <TextInput
            label="Username"
            autoComplete="username"
            autoCapitalize="none"
            {...form.getInputProps('username')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            {...form.getInputProps('password')}
          />
          <Button type="submit" color="dawn" fullWidth loading={login.isPending}>
            Sign In
          </Button>
        </Stack>
      </form>
    </main>
  );
};
