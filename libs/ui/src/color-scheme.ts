/**
 * The choice of light or dark. The key and the attribute are the component library's own, so pages
 * with and without it agree; this file exists because the landing page does without.
 */
export type ColorScheme = 'light' | 'dark';

const storageKey = 'mantine-color-scheme-value';
const attribute = 'data-mantine-color-scheme';
const systemIsDark = () => window.matchMedia('(prefers-color-scheme: dark)');

const storedScheme = (): ColorScheme | null => {
  try {
    const value = window.localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : null;
  } catch {
    return null; // Storage is refused in some private windows; the system's choice then holds.
  }
};

/** What is shown now. */
export const readColorScheme = (): ColorScheme =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light';

const applyColorScheme = (scheme: ColorScheme): void =>
  document.documentElement.setAttribute(attribute, scheme);

/** Call before the first paint: shows the stored choice, else the system's, and follows the system. */
export const startColorScheme = (): void => {
  const system = systemIsDark();
  const followSystem = () =>
    applyColorScheme(storedScheme() ?? (system.matches ? 'dark' : 'light'));
  followSystem();
  system.addEventListener('change', followSystem);
};

/** Keeps the person's choice for the next visit. */
export const chooseColorScheme = (scheme: ColorScheme): void => {
  applyColorScheme(scheme);
  try {
    window.localStorage.setItem(storageKey, scheme);
  } catch {
    // Without storage the choice lasts for this page only.
  }
};

/** Tells of every change of what is shown, whoever made it. */
export const watchColorScheme = (onChange: () => void): (() => void) => {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [attribute] });
  return () => observer.disconnect();
};
