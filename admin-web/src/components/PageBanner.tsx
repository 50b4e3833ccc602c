import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import classes from './PageBanner.module.css';

/** A notice that stays on screen on every page. On small screens its details open on request. */
export const PageBanner = ({
  title,
  tone,
  id,
  summary = null,
  children,
  action,
}: {
  title: string;
  tone: 'red' | 'yellow';
  /** Anchor for links from the dashboard. */
  id?: string;
  /** Shown on small screens too. */
  summary?: string | null;
  children: ReactNode;
  action: ReactNode;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section id={id} className={classes.banner} data-tone={tone} aria-label={title} tabIndex={-1}>
      <div className={classes.words}>
        <p role={tone === 'red' ? 'alert' : 'status'}>
          <strong>{title}</strong>
          {summary ? `: ${summary}` : null}
        </p>
        <div className={classes.details} data-open={isOpen}>
          {children}
        </div>
      </div>
      <UnstyledButton
        className={classes.more}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Details
      </UnstyledButton>
      {action}
    </section>
  );
};
