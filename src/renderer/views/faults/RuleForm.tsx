import { useMemo } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { control } from '../../connection/control.ts';
import { mergePatch } from '../../ui/merge-patch.ts';
import { navigate } from '../../navigation/route.ts';
import { notify } from '../../ui/notify.tsx';
import { RecordForm } from '../../ui/RecordForm.tsx';
import { useRecordForm } from '../../ui/use-record-form.ts';
import { useUnsavedGuard } from '../../ui/use-unsaved-guard.ts';
import { EffectFields } from './EffectFields.tsx';
import { holdFault } from './fault-actions.ts';
import { problemsOf, recordOf, ruleOf, type FaultDraft } from './fault-draft.ts';
import { FrequencyFields } from './FrequencyFields.tsx';
import { IdentityFields } from './IdentityFields.tsx';
import { MatchFields } from './MatchFields.tsx';
import { titleOf } from './rule-words.ts';

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
      : await control.faults.update({ ...mergePatch(recordOf(rule), wanted), id: rule.id });
  holdFault(saved);
  notify(`“${titleOf(saved)}” is saved${saved.enabled ? ' and armed' : ''}`);
  return saved;
}

/** The rule as it is written: the same as long as only its counts change. */
function useRecord(rule: FaultState | null): object | null {
  const written = rule === null ? null : JSON.stringify(recordOf(rule));
  return useMemo(() => (written === null ? null : (JSON.parse(written) as object)), [written]);
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
    <RecordForm
      state={state}
      record={useRecord(rule)}
      start={start}
      calm={rule === null ? 'Not saved yet' : 'Saving resets its count'}
    >
      <IdentityFields form={form} isNew={rule === null} />
      <EffectFields form={form} />
      <MatchFields form={form} />
      <FrequencyFields form={form} />
    </RecordForm>
  );
}
