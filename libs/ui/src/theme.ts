import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const sky: MantineColorsTuple = [
  '#eef6ff',
  '#dceefe',
  '#b9dcfb',
  '#97caf8',
  '#7cb8f5',
  '#559fe8',
  '#3482cf',
  '#1f66ad',
  '#1a5a9e',
  '#134a80',
];
const dawn: MantineColorsTuple = [
  '#fff6ea',
  '#ffeacf',
  '#ffdcae',
  '#ffce8b',
  '#ffc069',
  '#ffb04a',
  '#f09327',
  '#9a5a10',
  '#7c470b',
  '#5e3608',
];
const red: MantineColorsTuple = [
  '#fff0ee',
  '#fde8e4',
  '#f9c9c2',
  '#f2a197',
  '#ea7b6e',
  '#dd574a',
  '#c93a2f',
  '#b3261e',
  '#9f1f18',
  '#7f1712',
];
const green: MantineColorsTuple = [
  '#eefaf1',
  '#d9f5df',
  '#b5e8c1',
  '#8bd8a0',
  '#62c681',
  '#3fae64',
  '#2b914d',
  '#1f763c',
  '#186031',
  '#14532d',
];
const yellow: MantineColorsTuple = [
  '#fffaeb',
  '#ffefc4',
  '#ffe08f',
  '#ffd05c',
  '#fbbf2d',
  '#e0a312',
  '#b7810a',
  '#8a6005',
  '#6b4700',
  '#523600',
];
const gray: MantineColorsTuple = [
  '#f7f8fc',
  '#eef0f7',
  '#e1e5ef',
  '#cdd3e2',
  '#b0b8cd',
  '#8a93ad',
  '#6b7592',
  '#54607f',
  '#3a4565',
  '#1b2a4e',
];
const dark: MantineColorsTuple = [
  '#eef2ff',
  '#d3daf0',
  '#adb8d9',
  '#98a4c9',
  '#3a4675',
  '#2b3761',
  '#1f2b52',
  '#172141',
  '#0f1730',
  '#0a1024',
];

/** `color="dawn"` is the call to action: gold with dark text in both modes. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  // Mantine's default is almost white in dark mode.
  if (input.variant === 'outline' && input.color === 'red')
    return {
      background: 'transparent',
      hover: 'var(--dl-red-bg)',
      color: 'var(--dl-danger)',
      border: '1px solid var(--dl-danger)',
    };
  const isPrimary = input.color === undefined || input.color === input.theme.primaryColor;
  if (input.variant === 'subtle' && isPrimary) return { ...colors, color: 'var(--dl-link)' };
  if (input.variant !== 'filled') return colors;
  if (input.color === 'dawn')
    return {
      background: 'var(--dl-cta)',
      hover: 'var(--dl-cta-hover)',
      color: 'var(--dl-cta-ink)',
      border: '1px solid transparent',
    };
  // Destructive: white on red in light mode, dark on pale red in dark mode.
  if (input.color === 'red')
    return {
      background: 'var(--dl-danger)',
      hover: 'var(--dl-danger)',
      color: 'var(--dl-on-primary)',
      border: '1px solid transparent',
    };
  // Mantine picks the text color for one mode only; the primary is dark in light mode and pale in dark mode.
  return isPrimary ? { ...colors, color: 'var(--dl-on-primary)' } : colors;
};

const touchHeight = '2.875rem';
const innerTouchHeight = '2.75rem';

export const theme = createTheme({
  primaryColor: 'sky',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  colors: { sky, dawn, red, green, yellow, gray, dark },
  black: '#1b2a4e',
  white: '#ffffff',
  fontFamily: 'var(--dl-font)',
  headings: { fontFamily: 'var(--dl-font)', fontWeight: '800' },
  defaultRadius: 'md',
  radius: { xs: '6px', sm: '8px', md: '12px', lg: '18px', xl: '28px' },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    Button: {
      defaultProps: { size: 'md', radius: 'xl' },
      styles: { root: { fontWeight: 800 } },
      vars: (_theme: unknown, props: { size?: string }) =>
        props.size === 'md' ? { root: { '--button-height': touchHeight } } : { root: {} },
    },
    Input: {
      defaultProps: { size: 'md' },
      vars: (_theme: unknown, props: { size?: string }) =>
        props.size === 'md' ? { wrapper: { '--input-height': touchHeight } } : { wrapper: {} },
    },
    PasswordInput: {
      defaultProps: {
        visibilityToggleButtonProps: { tabIndex: 0, 'aria-label': 'Show or hide the password' },
      },
      vars: () => ({ root: { '--psi-button-size': innerTouchHeight } }),
    },
    SegmentedControl: {
      vars: (_theme: unknown, props: { size?: string }) =>
        props.size === 'md' ? { root: { '--sc-padding': '0.625rem 0.875rem' } } : { root: {} },
    },
    InputWrapper: { defaultProps: { size: 'md' } },
    // With a field's radius it would look like a radio button.
    Checkbox: { defaultProps: { size: 'md', radius: 'xs' } },
    Radio: { defaultProps: { size: 'md' } },
    Paper: { defaultProps: { radius: 'lg' } },
    Card: { defaultProps: { radius: 'lg', padding: 'lg' } },
    Modal: { defaultProps: { radius: 'lg', centered: true } },
    Notification: { defaultProps: { radius: 'md' } },
  },
});

const roles = {
  '--mantine-color-body': 'var(--dl-surface)',
  '--mantine-color-text': 'var(--dl-ink)',
  '--mantine-color-bright': 'var(--dl-ink)',
  '--mantine-color-dimmed': 'var(--dl-muted)',
  '--mantine-color-placeholder': 'var(--dl-muted)',
  '--mantine-color-anchor': 'var(--dl-link)',
  '--mantine-color-error': 'var(--dl-danger)',
  '--mantine-color-default': 'var(--dl-surface)',
  '--mantine-color-default-hover': 'var(--dl-raised)',
  '--mantine-color-default-color': 'var(--dl-ink)',
  '--mantine-color-default-border': 'var(--dl-field-line)',
};

/** Maps Mantine's color roles to `tokens.css`, which change with the mode. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: roles,
  dark: roles,
});
