import { Logo } from '@daylift/ui/Logo';
import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCatalogue } from '../../catalogue.ts';
import classes from './SignInCard.module.css';

/** The page of an admin who isn't signed in. */
export const SignInCard = ({
  title,
  heading,
  children,
}: {
  title: string;
  heading: string;
  children: ReactNode;
}) => {
  const name = useCatalogue()?.product_name;
  return (
    <main className={classes.page}>
      <title>{`${title} · ${name ?? ''}`}</title>
      <div className={classes.card}>
        <Stack gap="md">
          <Logo name={name} size={36} />
          <Title order={1} fz="1.5rem">
            {heading}
          </Title>
          {children}
        </Stack>
      </div>
    </main>
  );
};
