import { Popover, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import { type Page, pageOf, pages } from '../pages.tsx';
import classes from './Navigation.module.css';

const inRow = pages.slice(0, 4);
const inMenu = pages.slice(4);

const PageLink = ({ page, onClick }: { page: Page; onClick?: () => void }) => {
  const { label, Icon, Count, sections } = page;
  const current = pageOf(useLocation().pathname) === page;
  return (
    <Link
      to={sections[0].path}
      className={classes.link}
      aria-current={current ? 'page' : undefined}
      {...(onClick && { onClick })}
    >
      <Icon size={20} aria-hidden />
      <span>{label}</span>
      {Count ? <Count /> : null}
    </Link>
  );
};

/** All pages, beside the content. */
export const SideNavigation = () => (
  <nav className={classes.side} aria-label="Pages">
    {inRow.map((page) => (
      <PageLink key={page.label} page={page} />
    ))}
    <hr className={classes.line} />
    {inMenu.map((page) => (
      <PageLink key={page.label} page={page} />
    ))}
  </nav>
);

const MoreMenu = () => {
  const [opened, { toggle, close }] = useDisclosure();
  const page = pageOf(useLocation().pathname);
  return (
    <Popover opened={opened} onChange={toggle} onClose={close} trapFocus returnFocus width="14rem">
      <Popover.Target>
        <UnstyledButton
          className={classes.link}
          data-current={page !== undefined && inMenu.includes(page)}
          onClick={toggle}
        >
          <IconDots size={20} aria-hidden />
          <span>More</span>
          <span className={classes.counts}>
            {inMenu.map(({ label, Count }) => (Count ? <Count key={label} /> : null))}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <nav className={classes.menu} aria-label="More pages">
          {inMenu.map((one) => (
            <PageLink key={one.label} page={one} onClick={close} />
          ))}
        </nav>
      </Popover.Dropdown>
    </Popover>
  );
};

/** One row above the content, for narrow screens. */
export const RowNavigation = () => (
  <nav className={classes.row} aria-label="Pages">
    {inRow.map((page) => (
      <PageLink key={page.label} page={page} />
    ))}
    <MoreMenu />
  </nav>
);
