import { useEffect, useState } from 'react';
import { forgetFarewell, isFarewellDue } from '../session/farewell.ts';
import classes from './Farewell.module.css';

/** The last word to somebody whose account was deleted a moment ago. */
export const Farewell = () => {
  const [due, setDue] = useState(false);
  useEffect(() => {
    if (!isFarewellDue()) return;
    forgetFarewell();
    setDue(true);
  }, []);
  return due ? (
    <p className={classes.farewell} role="status">
      Your account is deleted. Thank you for the mornings, and goodbye!
    </p>
  ) : null;
};
