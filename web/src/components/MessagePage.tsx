import { LogoMark } from '@daylift/ui/Logo';
import type { ReactNode } from 'react';
import classes from './MessagePage.module.css';

/** A page with a single message. */
export const MessagePage = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className={classes.page}>
    <LogoMark size={72} />
    <h1 className={classes.title}>{title}</h1>
    {children}
  </div>
);
