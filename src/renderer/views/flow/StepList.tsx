import { Select, Stack } from '@mantine/core';
import { page } from '../../connection/state.ts';
import { mayUse } from './flow-document.ts';
import { type FlowState, withGrant } from './flow-state.ts';
import { changeFlow, useFlow } from './flow-store.ts';
import {
  stepsOf,
  WALK_GRANTS,
  WALK_STEP_IDS,
  WALK_STEPS,
  type WalkGrant,
  WALKS,
} from '../../../scenario/walks.ts';
import { memo, useEffect, useState } from 'react';
import { PanelHead } from '../../ui/panel.tsx';
import { runAll, stopRun } from './run-flow.ts';
import { StepCard, StepForm } from './StepCard.tsx';
import { usePrefetch } from '../../ui/lazy-part.tsx';
import { ActionButton } from '../../ui/buttons.tsx';
import classes from './Flow.module.css';

function choose(grant: WalkGrant): void {
  const { clients } = page.getState();
  changeFlow((state) => {
    if (grant === state.document.grant) return state;
    const picked = clients.find(({ client_id }) => client_id === state.document.client_id);
    return withGrant(state, grant, picked && mayUse(grant)(picked) ? picked.client_id : null);
  });
}

function GrantSelect({ busy }: { readonly busy: boolean }) {
  const grant = useFlow((state) => state.document.grant);
  return (
    <Select
      className={classes.grant}
      aria-label="Grant"
      disabled={busy}
      value={grant}
      onChange={(chosen) => choose(WALK_GRANTS.find((one) => one === chosen) ?? grant)}
      data={WALK_GRANTS.map((value) => ({ value, label: WALKS[value].title }))}
    />
  );
}

/** Joins texts as sentences, each ending in one full stop. */
const sentencesOf = (texts: readonly (string | null)[]): string =>
  texts.flatMap((text) => (text === null ? [] : text.replace(/\.?$/, '.'))).join(' ');

type Results = Pick<FlowState, 'steps' | 'verdicts'>;

/** The result of the step that has ended since then, in sentences; empty while there is none. */
export function newResult({ steps, verdicts }: Results, former: FlowState['steps']): string {
  const id = WALK_STEP_IDS.findLast(
    (one) => steps[one] !== former[one] && ['ok', 'rejected'].includes(steps[one].status),
  );
  if (id === undefined) return '';
  const { status, text } = steps[id];
  const verdict = verdicts[id];
  const word = status === 'ok' ? 'done' : 'failed';
  const matched = verdict === undefined ? null : verdict.passed ? 'As expected' : 'Not as expected';
  return sentencesOf([`${WALK_STEPS[id].title}: ${word}`, text, matched]);
}

/** Announces the result of each step to screen readers when it ends, not when the step is selected or shown again. */
function RunStatus() {
  const steps = useFlow((state) => state.steps);
  const verdicts = useFlow((state) => state.verdicts);
  const [announced, setAnnounced] = useState({ steps, text: '' });
  if (announced.steps !== steps)
    setAnnounced({ steps, text: newResult({ steps, verdicts }, announced.steps) });
  return (
    <div role="status" className="visually-hidden">
      {announced.text}
    </div>
  );
}

/** A shorter run never shows Stop, so the button does not change under the pointer. */
const LASTING_MS = 500;

function useLasting(running: boolean): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!running) return undefined;
    const timer = setTimeout(() => setLasting(true), LASTING_MS);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [running]);
  return lasting;
}

export const StepList = memo(function StepList() {
  const running = useFlow((state) => state.running);
  const lasting = useLasting(running !== null);
  const grant = useFlow((state) => state.document.grant);
  usePrefetch(StepForm.load);
  return (
    <>
      <PanelHead title={<GrantSelect busy={running !== null} />}>
        <ActionButton
          variant={lasting ? 'default' : 'filled'}
          busy={running !== null && !lasting}
          needs={lasting ? undefined : 'server'}
          onClick={() => (lasting ? stopRun() : void runAll())}
        >
          {lasting ? 'Stop' : running === 'all' ? 'Running…' : 'Run all'}
        </ActionButton>
      </PanelHead>
      <Stack
        component="ol"
        role="list"
        gap="var(--s0)"
        flex={1}
        mih={0}
        p="var(--s2h) var(--s2)"
        pos="relative"
        className={classes.scroll}
        aria-label="Steps"
      >
        {stepsOf(grant).map((id) => (
          <StepCard key={id} id={id} />
        ))}
      </Stack>
      <RunStatus />
    </>
  );
});
