// Maps the tokens in theme.css to Mantine's theme and CSS variables.

import {
  colorsTuple,
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type VariantColorsResolver,
} from '@mantine/core';
import type * as Mantine from '@mantine/core';
import { firstOptions } from './short-forms.ts';
import classes from './theme.module.css';

const FILLED = {
  accent: { background: 'var(--accent)', hover: 'var(--accent-hover)', color: 'var(--accent-ink)' },
  bad: { background: 'var(--bad)', hover: 'var(--bad)', color: 'var(--bad-ink)' },
};

const variantColorResolver: VariantColorsResolver = (input) => {
  const danger = input.color === 'bad';
  if (input.variant === 'filled') {
    return { ...(danger ? FILLED.bad : FILLED.accent), border: '1px solid transparent' };
  }
  // A pressed button: filled, it would look like the main action.
  if (input.variant === 'light') {
    return {
      background: 'var(--accent-soft)',
      hover: 'var(--raised)',
      color: 'var(--text)',
      border: '1px solid var(--accent)',
    };
  }
  if (input.variant === 'default') {
    return {
      background: 'var(--raised)',
      hover: 'var(--line)',
      color: danger ? 'var(--bad)' : 'var(--text)',
      border: '1px solid var(--line-strong)',
    };
  }
  if (input.variant === 'subtle') {
    return {
      background: 'transparent',
      hover: 'var(--raised)',
      color: danger ? 'var(--bad)' : 'var(--muted)',
      hoverColor: danger ? 'var(--bad)' : 'var(--text)',
      border: '1px solid transparent',
    };
  }
  return defaultVariantColorsResolver(input);
};

const LH = 'var(--lh)';

/** What the `extend` of each component accepts. To call it would load the component with the theme. */
type Defaults = {
  readonly [Name in keyof typeof Mantine]?: (typeof Mantine)[Name] extends {
    readonly extend: (defaults: infer D) => unknown;
  }
    ? D
    : never;
};

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: colorsTuple('var(--accent)') },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: {
    xs: 'var(--fs-s)',
    sm: 'var(--fs)',
    md: 'var(--fs)',
    lg: 'var(--fs-l)',
    xl: 'var(--fs-xl)',
  },
  lineHeights: { xs: LH, sm: LH, md: LH, lg: LH, xl: LH },
  fontWeights: { medium: 'var(--w-medium)', bold: 'var(--w-bold)' },
  spacing: { xs: 'var(--s2)', sm: 'var(--s3)', md: 'var(--s4)', lg: 'var(--s5)', xl: 'var(--s6)' },
  radius: {
    xs: 'var(--r-s)',
    sm: 'var(--r)',
    md: 'var(--r)',
    lg: 'var(--r-l)',
    xl: 'var(--r-full)',
  },
  shadows: {
    xs: 'none',
    sm: 'var(--shadow)',
    md: 'var(--shadow)',
    lg: 'var(--shadow)',
    xl: 'var(--shadow)',
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  activeClassName: '',
  respectReducedMotion: true,
  variantColorResolver,
  components: {
    ActionIcon: {
      defaultProps: { variant: 'subtle' },
      classNames: { root: classes.actionIcon },
      vars: () => ({ root: { '--ai-size': 'var(--control)' } }),
    },
    Button: {
      defaultProps: { size: 'xs', variant: 'default' },
      classNames: { root: classes.button, section: classes.buttonSection },
      vars: (_, { size }) => ({
        root: {
          '--button-height': size === 'sm' ? 'var(--input)' : 'var(--control)',
          '--button-padding-x': 'var(--s2h)',
          '--button-fz': 'var(--fs-s)',
        },
      }),
    },
    Checkbox: {
      defaultProps: { size: 'xs' },
      classNames: { input: classes.tick },
    },
    // A closed list takes part in every drawing of its form unless it is left out.
    Combobox: { defaultProps: { keepMounted: false } },
    // Every input takes these too.
    Input: { defaultProps: { size: 'xs' }, classNames: { input: classes.input } },
    Menu: {
      // The placeholder would be a child that role=menu does not allow.
      defaultProps: { transitionProps: { duration: 0 }, withInitialFocusPlaceholder: false },
      classNames: { dropdown: classes.float, item: classes.menuItem },
    },
    InputWrapper: {
      classNames: { label: classes.label, error: classes.error, description: classes.description },
    },
    Modal: {
      defaultProps: {
        centered: true,
        radius: 'lg',
        transitionProps: { duration: 0 },
        closeButtonProps: { 'aria-label': 'Close' },
      },
      classNames: {
        title: classes.modalTitle,
        content: classes.float,
      },
    },
    NumberInput: { defaultProps: { hideControls: true } },
    Paper: { classNames: { root: classes.paper } },
    Popover: {
      defaultProps: { transitionProps: { duration: 0 } },
      classNames: { dropdown: classes.float },
    },
    Progress: { classNames: { root: classes.progress } },
    SegmentedControl: {
      defaultProps: { size: 'xs', transitionDuration: 0 },
      classNames: { root: classes.segments, indicator: classes.segment },
    },
    Autocomplete: { defaultProps: { filter: firstOptions } },
    Select: {
      defaultProps: {
        allowDeselect: false,
        filter: firstOptions,
        // What is typed replaces the name of the current choice; otherwise nothing would match.
        onClick: ({ currentTarget }) => {
          if (!currentTarget.readOnly) currentTarget.select();
        },
      },
      classNames: { dropdown: classes.float },
    },
    Switch: {
      defaultProps: { size: 'xs', withThumbIndicator: false },
      classNames: { track: classes.track, thumb: classes.thumb, input: classes.switchInput },
    },
    Tabs: {
      classNames: {
        root: classes.tabs,
        list: classes.tabList,
        tab: classes.tab,
        panel: classes.tabPanel,
      },
    },
    Tooltip: {
      defaultProps: { openDelay: 400, transitionProps: { duration: 0 } },
      classNames: { tooltip: classes.tooltip },
    },
  } satisfies Defaults,
});

const SEMANTIC = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-bright': 'var(--text)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-success': 'var(--ok)',
  '--mantine-color-placeholder': 'var(--faint)',
  '--mantine-color-default': 'var(--raised)',
  '--mantine-color-default-hover': 'var(--line)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-disabled': 'var(--raised)',
  '--mantine-color-disabled-color': 'var(--faint)',
  '--mantine-color-disabled-border': 'var(--line)',
  '--mantine-primary-color-filled-hover': 'var(--accent-hover)',
  '--mantine-primary-color-contrast': 'var(--accent-ink)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  // Mantine's own greys have too little contrast with our backgrounds (WCAG 1.4.11).
  '--combobox-chevron-color': 'var(--muted)',
  '--menu-item-hover': 'var(--raised)',
};

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: SEMANTIC,
  dark: SEMANTIC,
});
