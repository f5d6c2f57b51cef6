import { Button } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { SequenceDiagram, type Tail } from '../../../sequence/SequenceDiagram.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { PanelHead } from '../../../ui/PanelHead.tsx';
import { withMessageSelected } from '../flow-selection.ts';
import { restarted, type FlowState } from '../flow-state.ts';
import { stepsOf, type StepId } from '../flow-steps.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { runAll } from '../run.ts';
import { pluralize } from '../../../ui/short-forms.ts';
import { AsPerson } from '../person/AsPerson.tsx';
import { ReplayingLine, ReplayLine } from '../saved/ReplayLine.tsx';
import { GRANT_RUNS } from '../step-words.ts';
import { SavedFlows } from '../saved/SavedFlows.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import { messagesOf } from './message.ts';
import { NEXT_HEIGHT, NextStep } from './NextStep.tsx';

/** The first step not done since the last change; the client is no message of its own. */
function nextStep({ inputs, steps, running }: FlowState): StepId | null {
  if (running !== null) return null;
  return stepsOf(inputs.grant).find((id) => id !== 'client' && steps[id].status !== 'ok') ?? null;
}

const tailOf = (step: StepId | null): Tail | null =>
  step === null
    ? null
    : {
        height: NEXT_HEIGHT,
        draw: (top, lanes) => <NextStep step={step} top={top} lanes={lanes} />,
      };

interface SequencePaneProps {
  /** A message was chosen to be read, by hand. */
  readonly onOpen: () => void;
}

export function SequencePane({ onOpen }: SequencePaneProps) {
  const events = useFlow((state) => state.events);
  const selected = useFlow((state) => state.selected);
  const running = useFlow((state) => state.running !== null);
  const replayed = useFlow((state) => state.replayed);
  const replaying = useFlow((state) => state.replaying);
  const messages = useMemo(() => messagesOf(events), [events]);
  const next = useFlow(nextStep);
  const grant = useFlow((state) => state.inputs.grant);
  const select = (id: number) => changeFlow((state) => withMessageSelected(state, id));
  if (events.length === 0 && replaying === null && replayed === null) {
    return (
      <>
        <PanelHead title="Sequence">
          <SavedFlows />
        </PanelHead>
        <EmptyState
          icon={<IconPlayerPlay />}
          title="Run your first OAuth flow"
          text={GRANT_RUNS[grant]}
          action={
            <>
              <Button variant="filled" disabled={running} onClick={() => void runAll()}>
                Run the whole flow
              </Button>
              {grant === 'authorization_code' && <AsPerson busy={running} />}
            </>
          }
        />
      </>
    );
  }
  return (
    <>
      <PanelHead title="Sequence" note={pluralize(events.length, 'message')}>
        <SavedFlows />
        <ExportMenu disabled={running} />
        <Button variant="subtle" disabled={running} onClick={() => changeFlow(restarted)}>
          Clear
        </Button>
      </PanelHead>
      {replaying !== null && <ReplayingLine {...replaying} />}
      {replayed !== null && <ReplayLine replayed={replayed} />}
      <SequenceDiagram
        label="Messages of this flow, oldest first"
        messages={messages}
        selected={selected}
        tail={tailOf(next)}
        onSelect={select}
        onOpen={onOpen}
      />
    </>
  );
}
