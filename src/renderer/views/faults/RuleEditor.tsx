import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconCopyPlus, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { FaultState } from '../../../control/fault-schemas.ts';
import { navigate } from '../../navigation/route.ts';
import { PanelHead } from '../../ui/PanelHead.tsx';
import { copyItem } from '../../navigation/draft-route.ts';
import { deleteFault } from './fault-actions.ts';
import { draftOf, recordOf, type FaultDraft } from './fault-draft.ts';
import classes from '../../ui/RecordEditor.module.css';
import { RuleForm } from './RuleForm.tsx';
import { titleOf } from './rule-words.ts';

interface RuleEditorProps {
  /** The rule being edited; null while one is written. */
  readonly rule: FaultState | null;
  /** What a new rule starts from. */
  readonly draft: (() => FaultDraft) | null;
}

const close = () => navigate('faults');

export function RuleEditor({ rule, draft }: RuleEditorProps) {
  const [initial] = useState(() => draft?.() ?? null);
  const start = rule === null ? initial : draftOf(recordOf(rule));
  if (start === null) return null;
  const title = rule === null ? 'New rule' : titleOf(rule);
  return (
    <section className={classes.editor} aria-label={rule === null ? title : `Rule ${title}`}>
      <PanelHead title={title}>
        {rule !== null && (
          <>
            <Button
              variant="subtle"
              leftSection={<IconCopyPlus size="1.1em" aria-hidden="true" />}
              onClick={() => void navigate('faults', copyItem(rule.id))}
            >
              Duplicate
            </Button>
            <Button
              variant="subtle"
              color="bad"
              leftSection={<IconTrash size="1.1em" aria-hidden="true" />}
              onClick={() => void deleteFault(rule).then(close)}
            >
              Delete
            </Button>
          </>
        )}
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the editor" onClick={() => void close()}>
            <IconX size="1.1em" />
          </ActionIcon>
        </Tooltip>
      </PanelHead>
      <RuleForm rule={rule} start={start} />
    </section>
  );
}
