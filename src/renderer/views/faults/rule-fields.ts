import type { UseFormReturnType } from '@mantine/form';
import type { FaultDraft } from './fault-draft.ts';

/** What each group of the rule form's fields is handed. */
export interface RuleFieldsProps {
  readonly form: UseFormReturnType<FaultDraft>;
}
