import { useMemo } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { patchBetween } from '../../../control/names.ts';
import { control } from '../../connection/control.ts';
import { navigate } from '../../navigation/route.ts';
import { notify } from '../../ui/notify.tsx';
import { RecordForm, useRecordForm } from '../../ui/record-form.tsx';
import { useUnsavedGuard } from '../../ui/confirm.tsx';
import { EffectFields } from './EffectFields.tsx';
import { addFault, holdFault } from './fault-actions.ts';
import { problemsOf, recordOf, ruleOf, type FaultDraft } from './fault-draft.ts';
import { FrequencyFields } from './FrequencyFields.tsx';
import { IdentityFields } from './IdentityFields.tsx';
import { MatchFields } from './MatchFields.tsx';
import { isArmed, titleOf } from './rule-words.ts';

interface RuleFormProps {
  /** The rule being edited; null while one is written. */
  readonly rule: FaultState | null;
  readonly start: FaultDraft;
}

async function save(rule: FaultState | null, draft: FaultDraft): Promise<FaultState> {
  const wanted = ruleOf(draft);
  const saved =
    rule === null
      ? await control.faults.create(wanted)
      : await control.faults.update({ ...patchBetween(recordOf(rule), wanted), id: rule.id });
  if (rule === null) addFault(saved);
  else holdFault(saved);
  notify(`“${titleOf(saved)}” is saved${saved.enabled ? ' and armed' : ''}`);
  return saved;
}

/** The rule as it is written: the same as long as only its counts change. */
function useRecord(rule: FaultState | null): object | null {
  const written = rule === null ? null : JSON.stringify(recordOf(rule));
  return useMemo(() => (written === null ? null : (JSON.parse(written) as object)), [written]);
}

function calmWords(rule: FaultState | null): string {
  if (rule === null) return 'Not saved yet';
  const usedUp = rule.enabled && !isArmed(rule);
  return usedUp ? 'Used up; saving arms it again' : 'Saving resets its count';
}

export function RuleForm({ rule, start }: RuleFormProps) {
  const state = useRecordForm<FaultDraft>({
    initial: start,
    validate: problemsOf,
    save: async (draft) => {
      const saved = await save(rule, draft);
      release();
      if (rule === null) void navigate('faults', saved.id);
    },
    failure: 'The rule was not saved.',
  });
  const { form } = state;
  const release = useUnsavedGuard(form.isDirty(), rule === null ? 'the new rule' : titleOf(rule));
  return (
    <RecordForm state={state} record={useRecord(rule)} start={start} calm={calmWords(rule)}>
      <IdentityFields form={form} isNew={rule === null} />
      <EffectFields form={form} />
      <MatchFields form={form} />
      <FrequencyFields form={form} />
    </RecordForm>
  );
}
