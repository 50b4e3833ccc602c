/**
 * Light or dark mode for pages without Mantine, such as the landing page. Uses Mantine's storage key and attribute.
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
    return null; // Storage is unavailable in some private windows; use the system's setting.
  }
};

export const readColorScheme = (): ColorScheme =>
  document.documentElement.getAttribute(attribute) === 'dark' ? 'dark' : 'light';

const applyColorScheme = (scheme: ColorScheme): void =>
  document.documentElement.setAttribute(attribute, scheme);

/** Applies the stored or system mode and follows system changes. Call before the first paint. */
export const startColorScheme = (): void => {
  const system = systemIsDark();
  const followSystem = () =>
    applyColorScheme(storedScheme() ?? (system.matches ? 'dark' : 'light'));
  followSystem();
  system.addEventListener('change', followSystem);
};

export const chooseColorScheme = (scheme: ColorScheme): void => {
  applyColorScheme(scheme);
  try {
    window.localStorage.setItem(storageKey, scheme);
  } catch {
    // Without storage the choice lasts for this page.
  }
};

export const watchColorScheme = (onChange: () => void): (() => void) => {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [attribute] });
  return () => observer.disconnect();
};
