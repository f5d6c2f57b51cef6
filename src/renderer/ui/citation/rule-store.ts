// Which rule is open to be read; shown by RuleHost. Focus goes back to the citation that opened it: the dialog
// cannot see to that, as it is not there yet when the first rule is opened.

import { createStore } from 'zustand/vanilla';
import type { RuleReference } from './citations.ts';

interface OpenRule {
  /** null before the first; the last one stays while the dialog closes. */
  readonly rule: RuleReference | null;
  readonly opened: boolean;
}

export const openRule = createStore<OpenRule>(() => ({ rule: null, opened: false }));

let citation: Element | null = null;

export function showRule(rule: RuleReference): void {
  if (!openRule.getState().opened) citation = document.activeElement;
  openRule.setState({ rule, opened: true });
}

export function hideRule(): void {
  openRule.setState({ opened: false });
  if (citation instanceof HTMLElement) citation.focus();
}
