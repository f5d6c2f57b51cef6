// One case beside the list: what the server does and how a correct client responds; while it is active, what the app
// does and the question of how its login ended; afterwards the result.

import { Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleX,
  IconPlayerPlay,
  IconShieldQuestion,
} from '@tabler/icons-react';
import { useDidUpdate } from '@mantine/hooks';
import { useRef } from 'react';
import type { CheckResult, ClientCheck } from '../../../control/schemas.ts';
import { GOOD_LOGIN } from '../../../control/names.ts';
import { timeOfDay } from '../../connection/clock.ts';
import { type Reach, useReach } from '../../connection/reach.ts';
import { usePage } from '../../connection/state.ts';
import { ExchangeLine, ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { navigate } from '../../navigation/route.ts';
import { ActionButton, CopyButton } from '../../ui/buttons.tsx';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { Cited } from '../../ui/links.tsx';
import { PanelHead } from '../../ui/panel.tsx';
import split from '../../ui/split.module.css';
import { StatusTag, ToneLine } from '../../ui/status.tsx';
import { useNeed } from '../../ui/use-need.ts';
import {
  type Answer,
  type CheckedCase,
  endCase,
  expectedInWords,
  resultLabel,
  sentSince,
  startCase,
  stopCase,
  useChosen,
} from './check.ts';

const COMMAND = 'grantbench check -- npx playwright test login.spec.ts';

function Intro({ first }: { readonly first: CheckedCase | null }) {
  return (
    <Stack p="md" gap="sm" align="flex-start">
      <p>
        Does your app refuse what it must refuse? In each case, the server does one thing wrong, or
        something unusual but correct, during your app’s own login. Sign in with your app as usual,
        then say whether you were signed in. Grantbench watches what your app sends.
      </p>
      <p>
        Begin with a good login: it shows what your app does when nothing is wrong. Another one at
        the end confirms the refusals.
      </p>
      <Group gap="xs">
        <ActionButton
          variant="filled"
          needs="server"
          leftSection={<IconPlayerPlay />}
          onClick={() => void startCase(GOOD_LOGIN)}
        >
          Start a good login
        </ActionButton>
        {first !== null && (
          <Button onClick={() => void navigate('check', first.id)}>Open the first case</Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        With a login test, one command runs every case and writes a report:
      </Text>
      <Group gap="xs" wrap="nowrap" maw="100%">
        <Code style={{ overflowWrap: 'anywhere' }}>{COMMAND}</Code>
        <CopyButton value={COMMAND} label="Copy command" />
      </Group>
    </Stack>
  );
}

const aboutCase = (one: CheckedCase | typeof GOOD_LOGIN): readonly Fact[] => [
  ['The server', one.text],
  ['A correct app', expectedInWords(one)],
  ['Source', <Cited key="source" text={one.section} />],
  ['If it fails', one.advice],
  ...one.libraries.map(({ library, text }) => [library, text] as const),
];

const PROGRESS_WORDS: Record<ClientCheck['seen'][number], string> = {
  authorization: 'began or continued an authorization',
  code: 'redeemed a code',
  tokens: 'used the tokens',
  same_refresh_token: 'sent the rejected refresh token again',
  early_retry: 'sent the request again before Retry-After',
  retry_loop: 'sent the request more than three times',
  logout: 'accepted the logout token',
};

function Sent({ check }: { readonly check: ClientCheck }) {
  const exchanges = usePage((state) => state.exchanges);
  const sent = sentSince(exchanges, check, 8);
  if (sent.length === 0) return null;
  return (
    <Stack component="ol" gap={4} m={0} p={0} aria-label="Requests of the app, newest first">
      {sent.map((exchange) => (
        <Group component="li" key={exchange.number} gap="xs" wrap="nowrap">
          <ExchangeLine exchange={exchange}>
            {exchange.number === check.reached_exchange && check.case !== GOOD_LOGIN.id && (
              <StatusTag tone="warn">misbehaviour</StatusTag>
            )}
          </ExchangeLine>
        </Group>
      ))}
    </Stack>
  );
}

function reachedWords(
  { reached_exchange, case: id }: ClientCheck,
  server: Reach['server'],
): string {
  if (server === 'unknown') return 'What your app does appears here after reconnecting.';
  if (reached_exchange !== null)
    return id === GOOD_LOGIN.id ? 'Your app has sent requests.' : 'The misbehaviour was sent.';
  if (server !== 'running') return 'The server is not running, so your app gets no response.';
  return id === GOOD_LOGIN.id
    ? 'Now sign in with your app. No requests yet.'
    : 'Now sign in with your app. No request has triggered the misbehaviour yet.';
}

interface ActiveProps {
  readonly one: CheckedCase | typeof GOOD_LOGIN;
  readonly check: ClientCheck & { readonly ends_ms: number };
}

interface Question {
  readonly asks: string;
  readonly answers: readonly (readonly [words: string, answer: Answer])[];
}

const UNKNOWN: Answer = { login: 'unknown' };
const BY_TRAFFIC: Question = {
  asks: 'The requests decide this case',
  answers: [['Record the result', UNKNOWN]],
};

function questionOf({ look_for }: Pick<CheckedCase, 'look_for'>): Question {
  const [asks, yes, no]: [string, Answer, Answer] =
    look_for === null
      ? ['Were you signed in?', { login: 'succeeded' }, { login: 'failed' }]
      : [`Does your app show “${look_for}”?`, { shown: true }, { shown: false }];
  const answers = [
    ['Yes', yes],
    ['No', no],
    ['I cannot tell', UNKNOWN],
  ] as const;
  return { asks, answers };
}

/** Whose requests get the misbehaviour of an active case. */
const affectedClients = ({ shared }: CheckedCase, client_id: string | null): string => {
  if (client_id === null) return 'any client';
  return shared ? `${client_id} and to requests that name no client` : client_id;
};

/** The active case: what the app does appears as it happens, and a person says how the login ended. */
function Active({ one, check }: ActiveProps) {
  const server = useReach((reach) => reach.server);
  const live = server !== 'unknown';
  const decided = one.expected === 'refuse' && check.seen_exchange !== null;
  const traffic = one.by_traffic || decided;
  const { asks, answers } = traffic ? BY_TRAFFIC : questionOf(one);
  return (
    <Stack p="md" gap="sm" role="group" aria-label="Active case">
      <p role="status">{reachedWords(check, server)}</p>
      {live && check.seen.length > 0 && (
        <p>
          {one === GOOD_LOGIN ? 'So far' : 'Since then'} your app{' '}
          {check.seen.map((seen) => PROGRESS_WORDS[seen]).join(', ')}.
        </p>
      )}
      <Sent check={check} />
      <Title order={3} fz="sm">
        {asks}
      </Title>
      {traffic && (
        <Text size="xs" c="dimmed">
          {decided
            ? 'Your app went on although it should have stopped.'
            : 'Wait until your app has finished, then record the result.'}
        </Text>
      )}
      <Group gap="xs">
        {answers.map(([words, answer], index) => (
          <ActionButton
            key={words}
            variant={index === 0 ? 'filled' : 'default'}
            needs="connection"
            onClick={() => void endCase(one.id, answer)}
          >
            {words}
          </ActionButton>
        ))}
        <ActionButton variant="subtle" ml="auto" needs="connection" onClick={() => void stopCase()}>
          Stop without a result
        </ActionButton>
      </Group>
      {live && (
        <Text size="xs" c="dimmed">
          {'shared' in one &&
            `The misbehaviour applies to ${affectedClients(one, check.client_id)}. `}
          The case ends by itself at {timeOfDay(check.ends_ms)} machine time.
        </Text>
      )}
    </Stack>
  );
}

function Found({ found }: { readonly found: CheckResult }) {
  const { tone, words } = resultLabel(found);
  const { why, ended_at, reached_exchange, seen_exchange, awaits_good_login } = found;
  return (
    <Paper withBorder p="sm" component="section" aria-label="Result">
      <Group gap="xs" fz="xs" c="dimmed" mb={4}>
        <StatusTag tone={tone}>{words}</StatusTag>
        <span>{timeOfDay(Date.parse(ended_at))}</span>
        {reached_exchange !== null && (
          <span>
            sent in <ExchangeLink number={reached_exchange} />
          </span>
        )}
        {seen_exchange !== null && (
          <span>
            went on in <ExchangeLink number={seen_exchange} />
          </span>
        )}
      </Group>
      {why}
      {awaits_good_login && ' A good login decides it.'}
    </Paper>
  );
}

/** After a good login: what it is worth, and where to go on. */
function GoodResult() {
  const { good } = useChosen();
  if (good === null) return null;
  const text = {
    succeeded: 'The login succeeded. It confirms what your app refused before.',
    failed: 'The login failed although the server does nothing wrong, so the cases show nothing.',
    unknown: 'Grantbench now knows what your app does in a good login.',
    not_reached:
      'Your app sent no request, so this login shows nothing. Sign out of your app first, and check its issuer.',
  }[good];
  const fine = good === 'succeeded' || good === 'unknown';
  return (
    <ToneLine tone={fine ? 'ok' : 'bad'} icon={fine ? IconCircleCheck : IconCircleX}>
      {text}
    </ToneLine>
  );
}

interface AtRestProps {
  readonly one: CheckedCase | typeof GOOD_LOGIN;
  readonly next: CheckedCase | null;
}

/** A case that is not active: its newest result, and the buttons that start it or the next one. */
function AtRest({ one, next }: AtRestProps) {
  const busy = usePage((state) => state.client_check?.title ?? null);
  const needs = useNeed('server');
  const found = 'found' in one ? one.found : null;
  const { good } = useChosen();
  const done = found !== null || (one === GOOD_LOGIN && good !== null);
  const blocked =
    busy === null
      ? needs
      : { 'aria-disabled': true as const, title: `“${busy}” is active. End it first.` };
  return (
    <Stack p="md" gap="sm">
      {found !== null && <Found found={found} />}
      {one === GOOD_LOGIN && <GoodResult />}
      <Group gap="xs">
        {done && next !== null && (
          <Button
            variant="filled"
            leftSection={<IconPlayerPlay />}
            onClick={() => void startCase(next)}
            {...blocked}
          >
            Start the next case
          </Button>
        )}
        <Button
          variant={done ? 'default' : 'filled'}
          leftSection={<IconPlayerPlay />}
          onClick={() => void startCase(one)}
          {...blocked}
        >
          {done ? 'Start again' : 'Start this case'}
        </Button>
      </Group>
      {done && next !== null && (
        <Text size="xs" c="dimmed">
          Next: {next.title}
        </Text>
      )}
    </Stack>
  );
}

interface CasePanelProps {
  readonly cases: readonly CheckedCase[];
  /** The open case, `good-login`, or null. */
  readonly id: string | null;
}

export function CasePanel({ cases, id }: CasePanelProps) {
  const check = usePage((state) => state.client_check);
  const live = useReach((reach) => reach.live);
  const index = cases.findIndex((one) => one.id === id);
  const one = id === GOOD_LOGIN.id ? GOOD_LOGIN : (cases[index] ?? null);
  const next = cases.slice(index + 1).find(({ found }) => found === null) ?? null;
  const isActive = check !== null && check.case === id;
  const state = useRef<HTMLDivElement>(null);
  useDidUpdate(() => {
    // The button that had the focus is gone.
    if (document.activeElement === document.body) state.current?.focus();
  }, [isActive]);
  return (
    <section className={split.editor} aria-label="Case">
      <PanelHead title={one?.title ?? 'Is your login safe?'}>
        {isActive && live && <StatusTag tone="info">active</StatusTag>}
        {check !== null && !isActive && (
          <Button
            variant="subtle"
            leftSection={<IconShieldQuestion />}
            onClick={() => void navigate('check', check.case)}
          >
            Show the active case
          </Button>
        )}
      </PanelHead>
      <div className={split.scroll}>
        {one === null ? (
          <Intro first={cases[0] ?? null} />
        ) : (
          <>
            <div ref={state} tabIndex={-1} style={{ outlineOffset: -2 }}>
              {isActive ? <Active one={one} check={check} /> : <AtRest one={one} next={next} />}
            </div>
            <Facts facts={aboutCase(one)} />
          </>
        )}
      </div>
    </section>
  );
}
