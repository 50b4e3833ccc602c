import { Button, Group, Stack, Title } from '@mantine/core';
import { Suspense } from 'react';
import { Link, useLocation } from 'react-router';
import { useCatalogue } from '../catalogue.ts';
import { type Page, pageOf, type Section } from '../pages.tsx';
import { LoadingPage } from './LoadingPage.tsx';
import classes from './PageFrame.module.css';
import { useMayOpen } from './use-may-open.ts';

const Sections = ({ of, current }: { of: Page; current: Section }) => {
  const mayOpen = useMayOpen();
  return (
    <Group component="nav" gap="xs" aria-label={`${of.label} sections`}>
      {of.sections.filter(mayOpen).map((section) => (
        <Button
          key={section.path}
          component={Link}
          to={section.path}
          size="sm"
          h={44}
          variant="default"
          className={section === current ? classes.current : undefined}
          aria-current={section === current ? 'page' : undefined}
        >
          {section.label}
        </Button>
      ))}
    </Group>
  );
};

/** Title, heading and sections of a page of the navigation. */
export const PageFrame = () => {
  const { pathname } = useLocation();
  const name = useCatalogue()?.product_name ?? '';
  const page = pageOf(pathname);
  const section = page?.sections.find(({ path }) => path === pathname);
  if (page === undefined || section === undefined) return null;
  const hasSections = page.sections.length > 1;
  const title = hasSections ? `${section.label} · ${page.label}` : page.label;
  return (
    <Stack gap="lg">
      <title>{`${title} · ${name} Admin`}</title>
      <Group justify="space-between" gap="sm">
        <Title order={1} fz="1.5rem">
          {page.label}
        </Title>
        {hasSections ? <Sections of={page} current={section} /> : null}
      </Group>
      <Suspense fallback={<LoadingPage />}>
        <section.Content />
      </Suspense>
    </Stack>
  );
};
