import { type ReactNode, useId } from 'react';
import classes from './DashboardCard.module.css';

/** A dashboard card. `action` is shown beside the title. */
export const DashboardCard = ({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) => {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
};
