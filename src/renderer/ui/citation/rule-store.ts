// Which rule is open to be read; shown by RuleHost.

import { createStore } from 'zustand/vanilla';
import type { RuleReference } from './citations.ts';

interface OpenRule {
  /** null before the first; the last one stays while the dialog closes. */
  readonly rule: RuleReference | null;
  readonly opened: boolean;
}

export const openRule = createStore<OpenRule>(() => ({ rule: null, opened: false }));

export const showRule = (rule: RuleReference): void => openRule.setState({ rule, opened: true });
export const hideRule = (): void => openRule.setState({ opened: false });
