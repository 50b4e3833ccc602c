import { chooseColorScheme, readColorScheme, watchColorScheme } from '@daylift/ui/color-scheme';
import { useSyncExternalStore } from 'react';
import classes from './ColorSchemeButton.module.css';

export const ColorSchemeButton = () => {
  const scheme = useSyncExternalStore(watchColorScheme, readColorScheme, () => 'light' as const);
  const next = scheme === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" className={classes.button} onClick={() => chooseColorScheme(next)}>
      <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
        {next === 'dark' ? (
          <path d="M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z" />
        ) : (
          <path d="M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-5v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100" />
        )}
      </svg>
      {next === 'dark' ? 'Dark mode' : 'Light mode'}
    </button>
  );
};
