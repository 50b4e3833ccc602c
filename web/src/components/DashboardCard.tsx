import { type ReactNode, useId } from 'react';
import classes from './DashboardCard.module.css';

/** One titled card of the dashboard. `action` stands at the title's right. */
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
