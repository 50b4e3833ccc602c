import { chooseColorScheme, readColorScheme } from '@daylift/ui/color-scheme';
import classes from './ColorSchemeButton.module.css';

const Icon = ({ path }: { path: string }) => (
  <svg width="20" height="20" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={path} />
  </svg>
);

const moon = 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500z';
const sun =
  'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-5v1.500M12 19.500V21M3 12h1.500M19.500 12H21M5.600 5.600l1.100 1.100M17.300 17.300l1.100 1.100M5.600 18.400l1.100-1.100M17.300 6.700l1.100-1.100';

/** Switches between light and dark. CSS picks the label, so it is right before hydration. */
export const ColorSchemeButton = () => (
  <button
    type="button"
    className={classes.button}
    onClick={() => chooseColorScheme(readColorScheme() === 'dark' ? 'light' : 'dark')}
  >
    <span className={classes.toDark}>
      <Icon path={moon} />
      Dark mode
    </span>
    <span className={classes.toLight}>
      <Icon path={sun} />
      Light mode
    </span>
  </button>
);
