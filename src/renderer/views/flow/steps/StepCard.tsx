import { useEffect, useRef } from 'react';
import { usePage } from '../../../connection/state.ts';
import { Timed } from '../../../ui/Timed.tsx';
import { StatusTag } from '../../../ui/StatusTag.tsx';
import type { Tone } from '../../../ui/tone.ts';
import { useChoice } from '../choice.ts';
import type { StepOutcome, StepStatus } from '../flow-state.ts';
import { numberOf, type StepId } from '../flow-steps.ts';
import { withStepSelected } from '../flow-selection.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { clientInWords, hintOf, STEP_TITLES } from '../step-words.ts';
import { KeyLine } from '../assertion/KeyLine.tsx';
import { PersonLine } from '../person/PersonLine.tsx';
import { VerdictLine } from '../VerdictLine.tsx';
import { CodeLife } from './CodeLife.tsx';
import { HammerLine } from './HammerLine.tsx';
import { MistakesLine } from './MistakesLine.tsx';
import { StepActions } from './StepActions.tsx';
import { StepInputs } from './StepInputs.tsx';
import { StepMark } from './StepMark.tsx';
import { TokenLife } from './TokenLife.tsx';
import { UserCodeLine } from './UserCodeLine.tsx';
import classes from './Steps.module.css';

const open = (id: StepId) => changeFlow((state) => withStepSelected(state, id));

const TONES: Record<StepStatus, Tone> = {
  todo: 'muted',
  running: 'muted',
  ok: 'ok',
  refused: 'bad',
};

function toneOf({ status, badge }: StepOutcome): Tone {
  if (badge === '429' || badge === 'unverified') return 'warn';
  return TONES[status];
}

/** The first step is done as soon as there is a client to go on with. */
function useOutcome(id: StepId): StepOutcome {
  const outcome = useFlow((state) => state.steps[id]);
  const { client } = useChoice();
  if (id !== 'client' || outcome.status !== 'todo' || client === null) return outcome;
  return { status: 'ok', badge: null, text: clientInWords(client) };
}

/** A step that a run has come to comes into sight. */
function useInSight(active: boolean) {
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (active) ref.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return ref;
}

export function StepCard({ id }: { readonly id: StepId }) {
  const outcome = useOutcome(id);
  const active = useFlow((state) => state.active === id);
  const editing = useFlow((state) => state.editing === id);
  const verdict = useFlow((state) => state.verdicts[id]);
  const grant = useFlow((state) => state.inputs.grant);
  const way = useFlow((state) => state.inputs.authorize);
  const throttle = usePage((state) => state.settings?.throttle);
  const { client } = useChoice();
  const ref = useInSight(active);
  return (
    <li
      ref={ref}
      className={classes.card}
      data-active={active || undefined}
      {...(active ? { 'aria-current': 'step' as const } : {})}
    >
      <StepMark number={numberOf(grant, id)} status={outcome.status} />
      <button type="button" className={classes.title} onClick={() => open(id)}>
        {STEP_TITLES[id]}
      </button>
      <StepActions id={id} wide={active} />
      <span className={classes.end}>
        {id === 'client' && client !== null && (
          <code className={classes.client}>{client.client_id}</code>
        )}
        {outcome.badge !== null && <StatusTag tone={toneOf(outcome)}>{outcome.badge}</StatusTag>}
      </span>
      <p className={classes.hint}>
        {outcome.text === null ? hintOf(id, throttle, way) : <Timed text={outcome.text} />}
        {(id === 'code' || id === 'device') && outcome.status === 'ok' && <CodeLife of={id} />}
        {id === 'token' && outcome.status === 'ok' && <TokenLife />}
      </p>
      {verdict !== undefined && (
        <div className={classes.row}>
          <VerdictLine verdict={verdict} />
        </div>
      )}
      <MistakesLine step={id} />
      {id === 'code' && <PersonLine />}
      {id === 'assertion' && <KeyLine />}
      {id === 'decide' && <UserCodeLine />}
      {id === 'hammer' && <HammerLine />}
      {editing && (
        <div className={classes.inputs}>
          <StepInputs id={id} />
        </div>
      )}
    </li>
  );
}
