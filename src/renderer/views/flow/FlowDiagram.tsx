import { useMemo } from 'react';
import { type Party, WALK_STEPS, type WalkStepId } from '../../../scenario/walks.ts';
import { Arrow } from '../../sequence/drawing.tsx';
import type { Lanes } from '../../sequence/layout.ts';
import type { Lane } from '../../sequence/message.ts';
import { SequenceDiagram, type Tail } from '../../sequence/SequenceDiagram.tsx';
import { nextStep } from './run-flow.ts';
import { withMessageSelected } from './flow-state.ts';
import { changeFlow, useChoice, useFlow } from './flow-store.ts';
import { messagesOf } from './messages.ts';
import classes from '../../sequence/Sequence.module.css';

const LANES: Readonly<Record<Party, Lane>> = {
  app: 0,
  authorization: 1,
  token_endpoint: 2,
  api: 3,
};

const NEXT_HEIGHT = 44;
const TEXT_Y = 20;
const ARROW_Y = 29;

interface NextStepProps {
  readonly step: WalkStepId;
  readonly top: number;
  readonly lanes: Lanes;
}

const startingSmall = (title: string) => title.charAt(0).toLowerCase() + title.slice(1);

function NextStep({ step, top, lanes }: NextStepProps) {
  const [from, to] = WALK_STEPS[step].between;
  const [start, end] = [lanes.xs[LANES[from]], lanes.xs[LANES[to]]];
  return (
    <g aria-hidden="true">
      <text
        className={classes.text}
        data-tone="faint"
        x={(start + end) / 2}
        y={top + TEXT_Y}
        fontSize={12}
      >
        {`next: ${startingSmall(WALK_STEPS[step].title)}`}
      </text>
      <Arrow from={start} to={end} y={top + ARROW_Y} tone="faint" dashed={false} />
    </g>
  );
}

const tailOf = (step: WalkStepId | null): Tail | null =>
  step === null
    ? null
    : {
        height: NEXT_HEIGHT,
        draw: (top, lanes) => <NextStep step={step} top={top} lanes={lanes} />,
      };

const select = (id: number) => changeFlow((state) => withMessageSelected(state, id));

export function FlowDiagram({ onOpen }: { readonly onOpen: () => void }) {
  const events = useFlow((state) => state.events);
  const selected = useFlow((state) => state.selected);
  const messages = useMemo(() => messagesOf(events), [events]);
  const choice = useChoice();
  const next = useFlow((state) => nextStep(state, choice));
  return (
    <SequenceDiagram
      label="Messages of this flow, oldest first"
      messages={messages}
      selected={selected}
      tail={tailOf(next)}
      onSelect={select}
      onOpen={onOpen}
    />
  );
}
