import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { memo } from 'react';
import { EmptyState, PanelHead } from '../../ui/panel.tsx';
import { WALKS } from '../../../scenario/walks.ts';
import { isFull, restarted } from './flow-state.ts';
import { changeFlow, flow, useFlow } from './flow-store.ts';
import { offerUndo } from '../../actions/sandbox.ts';
import { page } from '../../connection/state.ts';
import { runAll } from './run-flow.ts';
import { pluralize } from '../../../words.ts';
import { AsPerson } from './Person.tsx';
import { ReplayingLine, ReplayLine, SavedFlows } from './SavedFlows.tsx';
import { lazyPart, usePrefetch } from '../../ui/lazy-part.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import { DescribedMenuAction } from '../../ui/MenuAction.tsx';
import { report, scenario } from './flow-actions.ts';

const FlowDiagram = lazyPart(async () => (await import('./FlowDiagram.tsx')).FlowDiagram);

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

export const FlowSequence = memo(function FlowSequence({
  onOpen,
}: {
  readonly onOpen: () => void;
}) {
  const events = useFlow((state) => state.events);
  const running = useFlow((state) => state.running !== null);
  const replayed = useFlow((state) => state.replayed);
  const replaying = useFlow((state) => state.replaying);
  const grant = useFlow((state) => state.document.grant);
  usePrefetch(FlowDiagram.load);
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
              <ActionButton
                variant="filled"
                needs="server"
                disabled={running}
                onClick={() => void runAll()}
              >
                Run the whole flow
              </ActionButton>
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
      <FlowDiagram onOpen={onOpen} />
    </>
  );
});

/** Exports the flow as a report or as a scenario. */
function ExportMenu({ disabled }: { readonly disabled: boolean }) {
  const steps = useFlow((state) =>
    isFull(state)
      ? `The newest ${state.events.length} messages and their responses`
      : 'Every step and its response',
  );
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
          about={`${steps}, without secrets. Run it in CI with grantbench run.`}
          needs="connection"
          run={scenario}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
