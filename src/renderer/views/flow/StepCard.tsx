// The card of a step: its outcome, its buttons and its form.

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import {
  type StepOutcome,
  type StepStatus,
  tokenRead,
  valueOf,
  withClient,
  withStepSelected,
} from './flow-state.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { codeLifeOf, useCode, useDeviceState } from '../../sending/code-life.ts';
import { changeFlow, showMistakes, useChoice, useFlow } from './flow-store.ts';
import { durationInWords } from '../../../words.ts';
import { decodeJwt } from '../../../oauth/jwt.ts';
import { opensAddresses, Timed } from '../../ui/links.tsx';
import { ActionButton, CopyButton } from '../../ui/buttons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Box, Button, Code, Group } from '@mantine/core';
import { runFrom, runStep } from './run-flow.ts';
import { runInWords } from './run-results.ts';
import {
  hasRunAfter,
  numberOf,
  WALK_STEPS,
  type WalkGrant,
  type WalkStepId,
} from '../../../scenario/walks.ts';
import { memo } from 'react';
import { usePage } from '../../connection/state.ts';
import { StatusTag, type Tone } from '../../ui/status.tsx';
import { useInSight } from '../../ui/use-in-sight.ts';
import { clientInWords, hintOf, noClientInWords, reasonNotRun } from './meaning.ts';
import { PersonLine, StepLine } from './Person.tsx';
import { VerdictLine } from './VerdictLine.tsx';
import { BreakMenu, isBreakable } from './BreakMenu.tsx';
import { allowGrant } from '../../actions/sandbox.ts';
import { addPageKey, hasKey, registrableKeys, usePageKey } from './page-key.ts';
import { couldUse, signsWithKey } from './flow-document.ts';
import { JWT_BEARER_GRANT } from '../../../oauth/token-request.ts';
import type { Client } from '../../../control/schemas.ts';
import classes from './Flow.module.css';
import { Hint } from '../../ui/panel.tsx';

export const StepForm = lazyPart(async () => (await import('./StepForm.tsx')).StepForm);

/** This step reads a token, and sends nothing that could be edited. */
const isEditable = (id: WalkStepId): boolean => id !== 'token';

const WORDS: Record<StepStatus, string> = {
  todo: 'not run',
  running: 'running',
  ok: 'done',
  rejected: 'failed',
};

/** The step's number until it has been run, then its result. */
function StepMark({ number, status }: { readonly number: number; readonly status: StepStatus }) {
  return (
    <span className={classes.mark} data-status={status}>
      {status === 'ok' && <IconCheck aria-hidden="true" stroke={2.4} />}
      {status === 'rejected' && <IconAlertTriangle aria-hidden="true" stroke={2} />}
      {(status === 'todo' || status === 'running') && number}
      <span className="visually-hidden">{WORDS[status]}</span>
    </span>
  );
}

/** How long the code, or the device's codes, can still be redeemed by the sandbox clock. */
function CodeLife({ of }: { readonly of: 'code' | 'device_code' }) {
  const code = useFlow((state) => state.held[of]);
  const issued = useCode(useFlow((state) => (of === 'code' ? valueOf(state, 'code') : null)));
  const device = useFlow((state) => (of === 'code' ? null : (state.device?.user_code ?? null)));
  const known = useDeviceState(device) ?? issued?.state;
  const now = useSandboxNow();
  if (code === undefined || code.expires_at === null) return null;
  const life = codeLifeOf({ ...code, expires_at: code.expires_at }, known, now);
  return life.state === 'redeemable' ? ` · expires in ${life.left}` : ` · ${life.state}`;
}

/** How long the token that was read is still valid by the sandbox clock; nothing for an opaque token. */
function TokenLife() {
  const token = useFlow(tokenRead);
  const now = useSandboxNow();
  const jwt = token === null ? null : decodeJwt(token);
  if (jwt === null) return null;
  const { exp } = jwt.payload;
  if (typeof exp !== 'number') return ' · no expiry';
  const left = exp - now / 1000;
  return left > 0 ? ` · expires in ${durationInWords(left)} (exp)` : ' · expired (exp)';
}

/** The user code, and a link to the page where the user enters it. */
function UserCodeLine() {
  const device = useFlow((state) => state.device);
  const held = useFlow((state) => state.held.device_code);
  if (device === null || held === undefined || held.spent) return null;
  const { user_code, verification_uri_complete: page } = device;
  return (
    <Group className={classes.row} gap="sm" mt="var(--s1h)" fz="xs">
      <Code fz="lg" fw="bold" lts="0.06em" p={0} bg="none">
        {user_code}
      </Code>
      {opensAddresses() && (
        <a href={page} target="_blank" rel="noreferrer">
          Open the page
        </a>
      )}
      <CopyButton value={page} label="Copy the page’s URL" />
    </Group>
  );
}

function MistakesLine({ step }: { readonly step: WalkStepId }) {
  const run = useFlow((state) => state.mistake_run);
  if (run?.step !== step) return null;
  const words =
    run.state === 'running'
      ? `${run.results.length} of ${run.total} mistakes tried`
      : `Mistakes: ${runInWords(run)}`;
  return (
    <Group
      className={classes.row}
      justify="space-between"
      gap="var(--s1) var(--s2)"
      mt="var(--s1h)"
      c="dimmed"
      fz="xs"
    >
      <span>{words}</span>
      <Button variant="subtle" onClick={() => showMistakes(true)}>
        Show results
      </Button>
    </Group>
  );
}

const open = (id: WalkStepId) => changeFlow((state) => withStepSelected(state, id));

const TONES: Record<StepStatus, Tone> = {
  todo: 'muted',
  running: 'muted',
  ok: 'ok',
  rejected: 'bad',
};

function toneOf({ status, badge }: StepOutcome): Tone {
  if (badge === '429' || badge === 'unverified') return 'warn';
  return TONES[status];
}

/** The client step is done as soon as a client is selected, and shows it as it is now. */
function useOutcome(id: WalkStepId): StepOutcome {
  const outcome = useFlow((state) => state.steps[id]);
  const { client } = useChoice();
  const picked = useFlow((state) => state.document.client_id);
  const isKnown = usePage((state) => state.clients.some((one) => one.client_id === picked));
  if (id !== 'client' || outcome.status === 'running') return outcome;
  if (client !== null)
    return { status: 'ok', badge: null, text: clientInWords(client, isKnown ? null : picked) };
  return { ...outcome, status: outcome.status === 'ok' ? 'todo' : outcome.status, text: null };
}

export const StepCard = memo(function StepCard({ id }: { readonly id: WalkStepId }) {
  const outcome = useOutcome(id);
  const active = useFlow((state) => state.active === id);
  const editing = useFlow((state) => state.editing === id);
  const verdict = useFlow((state) => state.verdicts[id]);
  const grant = useFlow((state) => state.document.grant);
  const way = useFlow((state) => state.document.way);
  const choice = useChoice();
  const { client } = choice;
  const registered = usePage((state) => state.clients.length);
  const hint =
    id === 'client' && client === null
      ? noClientInWords(grant, registered)
      : (reasonNotRun(id, choice) ?? hintOf(id, way));
  const ref = useInSight<HTMLLIElement>(active);
  return (
    <li
      ref={ref}
      className={classes.card}
      data-active={active || undefined}
      {...(active ? { 'aria-current': 'step' as const } : {})}
    >
      <StepMark number={numberOf(grant, id)} status={outcome.status} />
      <button type="button" className={classes.title} onClick={() => open(id)}>
        {WALK_STEPS[id].title}
      </button>
      <StepActions id={id} wide={active} />
      <span className={classes.end}>
        {id === 'client' && client !== null && (
          <Hint component="code" truncate display="block" maw={120} ff="monospace">
            {client.client_id}
          </Hint>
        )}
        {outcome.badge !== null && <StatusTag tone={toneOf(outcome)}>{outcome.badge}</StatusTag>}
      </span>
      <Hint className={classes.row}>
        {outcome.text === null ? hint : <Timed text={outcome.text} />}
        {id === 'code' && outcome.status === 'ok' && <CodeLife of="code" />}
        {id === 'device' && outcome.status === 'ok' && <CodeLife of="device_code" />}
        {id === 'token' && outcome.status === 'ok' && <TokenLife />}
      </Hint>
      {verdict !== undefined && (
        <Box className={classes.row} mt="var(--s1h)">
          <VerdictLine verdict={verdict} />
        </Box>
      )}
      <MistakesLine step={id} />
      {id === 'client' && !editing && <GrantOffer />}
      {id === 'code' && <PersonLine />}
      <KeyLine id={id} />
      {id === 'decide' && <UserCodeLine />}
      {editing && (
        <Box className={classes.form} mt="var(--s1h)" pt="xs">
          <StepForm id={id} />
        </Box>
      )}
    </li>
  );
});

interface StepActionsProps {
  readonly id: WalkStepId;
  /** Whether the step is open, and has a row of buttons. */
  readonly wide: boolean;
}

const toggleEditing = (id: WalkStepId) =>
  changeFlow((state) => ({ ...state, editing: state.editing === id ? null : id }));

/** Renders the same buttons whether the step is open or not, so the pressed one keeps the focus. */
function StepActions({ id, wide }: StepActionsProps) {
  const busy = useFlow((state) => state.running !== null);
  const editing = useFlow((state) => state.editing === id);
  const hasNext = useFlow(({ document }) => hasRunAfter(document.grant, id));
  const title = WALK_STEPS[id].title;
  // The client step sends no request.
  const sends = id !== 'client';
  return (
    <Group
      className={classes.actions}
      data-wide={wide || undefined}
      {...(wide ? { gap: 'var(--s1)', mt: 'var(--s1h)' } : { gap: 0, wrap: 'nowrap' })}
    >
      {sends && (
        <ActionButton
          variant={wide ? 'filled' : 'subtle'}
          busy={busy}
          needs="server"
          onClick={() => void runStep(id)}
          aria-label={`Run: ${title}`}
        >
          Run
        </ActionButton>
      )}
      {wide && sends && hasNext && (
        <ActionButton
          title="Run this step and those after it"
          busy={busy}
          needs="server"
          onClick={() => void runFrom(id)}
          aria-label={`Run from here: ${title}`}
        >
          Run from here
        </ActionButton>
      )}
      {isBreakable(id) && <BreakMenu step={id} busy={busy} wide={wide} />}
      {wide && isEditable(id) && (
        <Button
          variant="subtle"
          onClick={() => toggleEditing(id)}
          aria-label={`Edit: ${title}`}
          aria-expanded={editing}
        >
          {editing ? 'Done' : 'Edit'}
        </Button>
      )}
    </Group>
  );
}

/** Allows the grant. JWT bearer also adds the key of this page, because it signs the assertions. */
async function allow(client: Client, grant: WalkGrant): Promise<void> {
  const more = grant === JWT_BEARER_GRANT ? { jwks: await registrableKeys(client) } : {};
  if (!(await allowGrant(client, grant, more))) return;
  changeFlow((state) => withClient(state, client.client_id));
}

const register = () =>
  changeFlow((state) => ({ ...state, active: 'client' as const, editing: 'client' as const }));

/** Shown while no client may use the grant: buttons that allow it for a client or register one. */
function GrantOffer() {
  const grant = useFlow((state) => state.document.grant);
  const clients = usePage((state) => state.clients);
  const { client } = useChoice();
  if (client !== null) return null;
  const candidate = clients.findLast(couldUse(grant)) ?? null;
  return (
    <StepLine>
      {candidate !== null && (
        <ActionButton
          maw="100%"
          variant="filled"
          needs="connection"
          onClick={() => void allow(candidate, grant)}
        >
          {`Allow this grant for ${candidate.client_id}`}
        </ActionButton>
      )}
      {candidate !== null && grant === JWT_BEARER_GRANT && (
        <Hint>Also adds this page’s key, which signs the assertion.</Hint>
      )}
      <Button onClick={register}>Register a client</Button>
    </StepLine>
  );
}

/** Shown while the client lacks the key of this page that the step signs with, with a button that adds it. */
function KeyLine({ id }: { readonly id: WalkStepId }) {
  const choice = useChoice();
  const { client } = choice;
  const key = usePageKey();
  const busy = useFlow((state) => state.running !== null);
  const signs = useFlow(({ document }) => signsWithKey(id, document, choice));
  if (client === null || key === null || busy || !signs || hasKey(client, key)) return null;
  const add = async () => {
    if (await addPageKey(client)) await runStep(id);
  };
  return (
    <StepLine>
      <ActionButton needs="server" onClick={() => void add()}>
        Add a key and sign
      </ActionButton>
      <Hint>
        Adds this page’s key <code>{key.kid}</code> to the <code>jwks</code> of{' '}
        <b>{client.client_id}</b> and keeps your app’s keys.
        {id === 'assertion' && ' Or paste your app’s own assertion in the next step.'}
      </Hint>
    </StepLine>
  );
}
