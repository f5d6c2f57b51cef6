import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { memo, useMemo } from 'react';
import { SequenceDiagram, type Tail } from '../../sequence/SequenceDiagram.tsx';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { type Party, WALK_STEPS, WALKS, type WalkStepId } from '../../../scenario/walks.ts';
import { restarted, withMessageSelected } from './flow-state.ts';
import { changeFlow, flow, useChoice, useFlow } from './flow-store.ts';
import { offerUndo } from '../../actions/sandbox.ts';
import { page } from '../../connection/state.ts';
import { nextStep, runAll } from './flow-run.ts';
import { pluralize } from '../../../words.ts';
import { AsPerson } from './Person.tsx';
import { ReplayingLine, ReplayLine, SavedFlows } from './SavedFlows.tsx';
import { messagesOf } from './messages.ts';
import { useNeed } from '../../ui/use-need.ts';
import { Arrow } from '../../sequence/drawing.tsx';
import type { Lanes } from '../../sequence/layout.ts';
import type { Lane } from '../../sequence/message.ts';
import classes from '../../sequence/Sequence.module.css';
import { DescribedMenuAction } from '../../ui/MenuAction.tsx';
import { report, scenario } from './flow-actions.ts';

const tailOf = (step: WalkStepId | null): Tail | null =>
  step === null
    ? null
    : {
        height: NEXT_HEIGHT,
        draw: (top, lanes) => <NextStep step={step} top={top} lanes={lanes} />,
      };

function clear(): void {
  const former = flow.getState();
  const { resets } = page.getState();
  changeFlow(restarted);
  offerUndo('Sequence cleared', 'The sequence was not restored.', async () => {
    const { running, next_id } = flow.getState();
    if (page.getState().resets !== resets) throw new Error('The sandbox was reset.');
    if (running !== null || next_id !== former.next_id)
      throw new Error('Another sequence has begun.');
    changeFlow(() => former);
  });
}

interface SequencePaneProps {
  /** Called when the user opens a message. */
  readonly onOpen: () => void;
}

export const SequencePane = memo(function SequencePane({ onOpen }: SequencePaneProps) {
  const events = useFlow((state) => state.events);
  const selected = useFlow((state) => state.selected);
  const running = useFlow((state) => state.running !== null);
  const replayed = useFlow((state) => state.replayed);
  const replaying = useFlow((state) => state.replaying);
  const messages = useMemo(() => messagesOf(events), [events]);
  const choice = useChoice();
  const next = useFlow((state) => nextStep(state, choice));
  const grant = useFlow((state) => state.document.grant);
  const needs = useNeed('server');
  const select = (id: number) => changeFlow((state) => withMessageSelected(state, id));
  if (events.length === 0 && replaying === null && replayed === null) {
    return (
      <>
        <PanelHead title="Sequence">
          <SavedFlows />
        </PanelHead>
        <EmptyState
          icon={IconPlayerPlay}
          title="Run your first OAuth flow"
          text={WALKS[grant].about}
          action={
            <>
              <Button variant="filled" disabled={running} onClick={() => void runAll()} {...needs}>
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
        <Button variant="subtle" disabled={running} onClick={clear}>
          Clear
        </Button>
      </PanelHead>
      {replaying !== null && <ReplayingLine name={replaying} />}
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
});

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

/** The next step, drawn faintly. */
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

/** Exports the flow as a report or as a scenario. */
function ExportMenu({ disabled }: { readonly disabled: boolean }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" disabled={disabled} rightSection={<IconChevronDown />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <DescribedMenuAction
          name="Report (HTML)"
          about="Diagram, messages, checks and verdicts in one file, without secrets."
          needs="connection"
          run={report}
        />
        <DescribedMenuAction
          name="Scenario (JSON)"
          about="Every step and its response, without secrets. Run it in CI with grantbench run."
          needs="connection"
          run={scenario}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
