import { useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { RecordEditor } from '../../ui/RecordEditor.tsx';
import { deleteFault } from './fault-actions.ts';
import { draftOf, recordOf, type FaultDraft } from './fault-draft.ts';
import { RuleForm } from './RuleForm.tsx';
import { titleOf } from './rule-words.ts';

interface RuleEditorProps {
  /** The rule being edited; null while one is written. */
  readonly rule: FaultState | null;
  /** What a new rule starts from. */
  readonly draft: (() => FaultDraft) | null;
}

export function RuleEditor({ rule, draft }: RuleEditorProps) {
  const [initial] = useState(() => draft?.() ?? null);
  const start = rule === null ? initial : draftOf(recordOf(rule));
  if (start === null) return null;
  return (
    <RecordEditor
      view="faults"
      kind="rule"
      name={rule?.id ?? null}
      title={rule === null ? null : titleOf(rule)}
      onDelete={async () => rule !== null && (await deleteFault(rule))}
    >
      <RuleForm rule={rule} start={start} />
    </RecordEditor>
  );
}
