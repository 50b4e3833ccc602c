import { useEffect, useState } from 'react';
import { forgetFarewell, isFarewellDue } from '../session/farewell.ts';
import classes from './Farewell.module.css';

/** Shown once after an account was deleted. */
export const Farewell = () => {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!isFarewellDue()) return;
    forgetFarewell();
    setDue(true);
  }, []);
  return due ? (
    <p className={classes.farewell} role="status">
      Your account has been deleted. Thanks for the mornings, and goodbye!
    </p>
  ) : null;
};
