import type { ReactNode } from 'react';
import { PageTitle } from './PageTitle.tsx';
import classes from './TextPage.module.css';

export const TextPage = ({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children: ReactNode;
}) => (
  <article className={classes.page}>
    <PageTitle>{title}</PageTitle>
    <header className={classes.head}>
      <h1>{title}</h1>
      <p>{lead}</p>
    </header>
    {children}
  </article>
);
