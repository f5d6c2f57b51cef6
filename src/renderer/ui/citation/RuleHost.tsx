import { useStore } from 'zustand';
import { lazyPart } from '../lazy-part.tsx';
import { openRule } from './rule-store.ts';

/** With the text of every rule: loaded when the first one is opened. */
const RuleDialog = lazyPart(async () => (await import('./RuleDialog.tsx')).RuleDialog);

/** Shows the rule that was asked for; stands once, in App. */
export function RuleHost() {
  const { rule } = useStore(openRule);
  return rule === null ? null : <RuleDialog rule={rule} />;
}
