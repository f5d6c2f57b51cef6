// Builds and signs a token for a test, with or without deliberate mistakes. The engine signs; nothing is issued.

import { Button, Select, Checkbox, TextInput, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconSignature,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useDidUpdate } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  TOKEN_MISTAKES,
  type TokenMistake,
  MISTAKE_GROUPS,
  TOKEN_MISTAKE_NAMES,
  conflictOf,
} from '../../../control/token-mistakes.ts';
import type { SignedToken, SignToken } from '../../../control/schemas.ts';
import { jwtOf, readToken, type DecodedJwt } from '../../../oauth/jwt.ts';
import { type WrongMembers, TokenInspector } from '../../inspector/TokenInspector.tsx';
import { usePage } from '../../connection/state.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { curlCommand } from '../../snippets/curl.ts';
import { Cited } from '../../ui/links.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { ActionButton, CopyButton } from '../../ui/buttons.tsx';
import { navigate } from '../../navigation/route.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { PanelHead, Hint, Problem } from '../../ui/panel.tsx';
import { clientChoices, userChoices } from '../../ui/short-forms.ts';
import { pluralize } from '../../../words.ts';
import { ToneLine } from '../../ui/status.tsx';
import form from '../../ui/form.module.css';
import panel from '../../ui/panel.module.css';
import split from '../../ui/split.module.css';
import classes from './Tokens.module.css';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { isJsonObject, type JsonObject } from '../../../json.ts';
import { control, problemOf } from '../../connection/control.ts';
import { notifyFailure } from '../../ui/notify.tsx';
import { problemSentence } from '../../ui/problems.ts';
import { readTypedJson } from '../../ui/typed-json.ts';
import { useAudienceOptions } from '../../ui/audience-options.ts';
import { BUILD } from './token-actions.ts';
import { CloseButton } from './TokenLabels.tsx';

// The token that is being built. The state lasts as long as the page, so that another view can be shown meanwhile.

const store = createStore(() => ({
  /** The client whose access token provides the claims; null: the client of the flow. */
  client_id: null as string | null,
  sub: null as string | null,
  audience: null as string | null,
  /** The text as typed. */
  header: '',
  claims: '',
  wrong: [] as readonly TokenMistake[],
  /** The URL of the API in the curl command. */
  url: 'http://localhost:3000/',
  problems: {} as Readonly<Partial<Record<'header' | 'claims' | 'wrong', string | null>>>,
  busy: false,
  result: null as SignedToken | null,
}));

type Built = ReturnType<typeof store.getState>;

const useBuilt = (): Built => useStore(store);

const edit = (change: Partial<Built>): void => store.setState(change);

const jsonText = (members: JsonObject) => JSON.stringify(members, null, 2);

const without = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));

/** The members that the key determines, and the one that is new in each token. */
const OF_THE_KEY = ['alg', 'kid'];
const OWN = ['jti'];

const startFrom = (header: JsonObject, claims: JsonObject): void =>
  edit({
    header: jsonText(without(header, OF_THE_KEY)),
    claims: jsonText(without(claims, OWN)),
    problems: {},
    result: null,
  });

/** Fills in the claims that an access token would have now. @param audience null for that of the client */
async function takeClaims(audience = store.getState().audience): Promise<void> {
  const { client, user } = chosenParty(store.getState());
  if (client === null) return;
  try {
    const { header, claims } = await control.tokens.sign({
      client_id: client.client_id,
      ...(user === null ? {} : { sub: user.sub }),
      ...(audience === null ? {} : { audience }),
    });
    startFrom(header, claims);
  } catch (error) {
    notifyFailure('The claims were not filled in.', error);
  }
}

/** Adds or removes a mistake. Adding one removes those that exclude it, as they set the same part. */
function toggleMistake(mistake: TokenMistake): void {
  const { wrong } = store.getState();
  const others = wrong.filter((one) => one !== mistake);
  edit({
    wrong:
      others.length < wrong.length
        ? others
        : [...others.filter((one) => conflictOf([one, mistake]) === null), mistake],
  });
}

function readMembers(text: string): { members: JsonObject; problem: string | null } {
  if (text.trim() === '') return { members: {}, problem: null };
  const json = readTypedJson(text);
  if (!json.ok) return { members: {}, problem: json.problem };
  return isJsonObject(json.value)
    ? { members: json.value, problem: null }
    : { members: {}, problem: 'It must be a JSON object, like {"sub": "ada"}.' };
}

const FIELDS = ['header', 'claims', 'wrong'] as const;

async function signBuilt(): Promise<void> {
  const { busy, wrong, ...texts } = store.getState();
  if (busy) return;
  const head = readMembers(texts.header);
  const body = readMembers(texts.claims);
  if (head.problem !== null || body.problem !== null) {
    edit({ problems: { header: head.problem, claims: body.problem }, result: null });
    return;
  }
  edit({ busy: true, problems: {} });
  try {
    // If the user removes typ, the token has none.
    const header = { typ: null, ...head.members };
    const order: SignToken = { header, claims: body.members, wrong: [...wrong] };
    edit({ result: await control.tokens.sign(order) });
  } catch (error) {
    const problem = problemOf(error);
    const at = FIELDS.find((name) => problem.field?.split(/[.[]/)[0] === name);
    edit({ result: null });
    if (at === undefined) {
      notifyFailure('Nothing was signed.', error);
      return;
    }
    // No field of the page has the name of this member.
    const message = problem.message.replace(/^wrong /, '');
    edit({ problems: { [at]: problemSentence({ ...problem, message }) } });
  } finally {
    edit({ busy: false });
  }
}

/** The members that deliberate mistakes change, each with the title of its mistake. */
function wrongMembers(mistakes: readonly TokenMistake[]): WrongMembers {
  const found = { header: new Map<string, string>(), payload: new Map<string, string>() };
  for (const mistake of mistakes) {
    const { sets, title } = TOKEN_MISTAKES[mistake];
    for (const part of sets) {
      const [place = '', member] = part.split('.');
      if (member !== undefined && (place === 'header' || place === 'payload')) {
        found[place].set(member, title);
      }
    }
  }
  return found;
}

const DEFAULT = 'default';

function BaseFields() {
  const built = useBuilt();
  const clients = usePage((state) => state.clients);
  const users = usePage((state) => state.users);
  const audiences = useAudienceOptions();
  const { client, user } = chosenParty(built);
  const audience = audiences.find(({ value }) => value === built.audience)?.value ?? null;
  return (
    <fieldset className={form.group}>
      <legend>Start from an access token</legend>
      <SimpleGrid minColWidth="11rem" autoFlow="auto-fit" spacing="sm">
        <Select
          label="Client"
          searchable
          nothingFoundMessage="No matching clients"
          value={client?.client_id ?? null}
          onChange={(value) => edit({ client_id: value })}
          data={clientChoices(clients)}
        />
        <Select
          label="User"
          searchable
          nothingFoundMessage="No matching users"
          value={user?.sub ?? null}
          onChange={(value) => edit({ sub: value })}
          data={userChoices(users)}
        />
        <Select
          label="Audience"
          searchable
          value={audience ?? DEFAULT}
          onChange={(value) => edit({ audience: value === DEFAULT ? null : value })}
          data={[{ value: DEFAULT, label: 'Client default' }, ...audiences]}
        />
      </SimpleGrid>
      <ActionButton
        className={form.start ?? ''}
        disabled={clients.length === 0 || users.length === 0}
        onClick={() => void takeClaims(audience)}
        needs="connection"
      >
        Fill in header and claims
      </ActionButton>
    </fieldset>
  );
}

interface MistakeGroupProps {
  readonly group: (typeof MISTAKE_GROUPS)[number];
  readonly wrong: readonly TokenMistake[];
}

/** The mistakes of one kind, folded until one of them is chosen. */
function MistakeGroup({ group, wrong }: MistakeGroupProps) {
  const names = TOKEN_MISTAKE_NAMES.filter((name) => TOKEN_MISTAKES[name].group === group);
  const chosen = names.filter((name) => wrong.includes(name)).length;
  const [isOpen, setOpen] = useState(chosen > 0);
  return (
    <details
      className={classes.kind}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {group}
        <Hint span ms="xs">
          {chosen > 0 ? `${chosen} of ${names.length} chosen` : pluralize(names.length, 'mistake')}
        </Hint>
      </summary>
      <SimpleGrid minColWidth="15rem" autoFlow="auto-fit" pt="xs">
        {names.map((name) => (
          <Checkbox
            key={name}
            label={TOKEN_MISTAKES[name].title}
            description={TOKEN_MISTAKES[name].text}
            checked={wrong.includes(name)}
            onChange={() => toggleMistake(name)}
          />
        ))}
      </SimpleGrid>
    </details>
  );
}

const EXPECTED = {
  accepted: { Icon: IconCircleCheck, tone: 'ok', word: 'No deliberate mistakes.' },
  rejected: { Icon: IconCircleX, tone: 'bad', word: 'An API must reject it.' },
  either: { Icon: IconAlertTriangle, tone: 'warn', word: 'An API may reject it.' },
} as const;

/** How an API should respond to the token, and why. */
function Expectation({ result }: { readonly result: SignedToken }) {
  const { Icon, tone, word } = EXPECTED[result.expected];
  return (
    <>
      <ToneLine tone={tone} icon={Icon}>
        <b>{word}</b> Expected response: <Cited text={result.answer} />
      </ToneLine>
      <Stack component="ul" role="list" gap="xs" aria-label="Mistakes made">
        {result.mistakes.map(({ name, text, rule }) => {
          const { title, optional } = TOKEN_MISTAKES[name];
          return (
            <li key={name}>
              <ToneLine
                tone={optional === true ? 'warn' : 'bad'}
                icon={optional === true ? IconAlertTriangle : IconCircleX}
              >
                <b>{title}.</b> {text} <Cited text={rule} />
              </ToneLine>
            </li>
          );
        })}
      </Stack>
    </>
  );
}

function Command({ token }: { readonly token: string }) {
  const { url } = useBuilt();
  const known = URL.canParse(url) && /^https?:/i.test(url);
  const command = (bearer: string) =>
    curlCommand({
      method: 'GET',
      url,
      headers: [['Authorization', `Bearer ${bearer}`]],
      body: '',
    });
  return (
    <Stack gap="xs">
      <TextInput
        label="URL of your API"
        value={url}
        error={known ? null : 'It must be an http or https URL.'}
        onChange={(event) => edit({ url: event.currentTarget.value })}
      />
      {known && (
        <CodeBlock
          text={command(`${token.slice(0, 24)}…`)}
          copies={command(token)}
          label="curl command"
        />
      )}
    </Stack>
  );
}

/** The signed token: the expected response, a command that sends it, and its claims. */
function SignedResult({ result }: { readonly result: SignedToken }) {
  const { token, mistakes } = result;
  const jwt = useMemo(() => jwtOf(readToken(token)), [token]);
  const wrong = useMemo(() => wrongMembers(mistakes.map(({ name }) => name)), [mistakes]);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'start' });
  }, [token]);
  return (
    <Stack
      ref={top}
      className={panel.foot}
      gap="sm"
      px="md"
      pt="sm"
      pb="md"
      role="region"
      aria-label="Signed token"
    >
      <Group justify="space-between" gap="xs">
        <Text span size="xs" fw="bold" role="status">
          Signed, not issued
        </Text>
        <CopyButton value={token} label="Copy the token" text="Copy token" />
      </Group>
      <Expectation result={result} />
      <Command token={token} />
      {jwt !== null && <TokenInspector token={token} jwt={jwt} wrong={wrong} />}
    </Stack>
  );
}

/** Opens the builder with the header and the claims of a decoded token. */
export function ChangeButton({ jwt }: { readonly jwt: DecodedJwt }) {
  const change = () => {
    startFrom(jwt.header, jwt.payload);
    void navigate('tokens', BUILD);
  };
  return (
    <Button
      className={form.start ?? ''}
      ml={-12}
      variant="subtle"
      leftSection={<IconSignature />}
      onClick={change}
    >
      Change and sign…
    </Button>
  );
}

export function BuildPane() {
  const { header, claims, wrong, problems, busy, result } = useBuilt();
  useEffect(() => {
    if (claims === '') void takeClaims();
    // Runs only when the pane opens, so that a text that the user empties stays empty.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const pane = useRef<HTMLElement>(null);
  useDidUpdate(() => {
    const wrong = pane.current?.querySelector<HTMLElement>('[aria-invalid="true"], [role="alert"]');
    wrong?.focus();
    wrong?.scrollIntoView({ block: 'center' });
  }, [problems]);
  return (
    <section ref={pane} className={`${split.editor} ${classes.pane}`} aria-label="Build a token">
      <PanelHead title="Build a token">
        <CloseButton what="builder" />
      </PanelHead>
      <Stack px="md" py="sm">
        <ToneLine tone="muted" icon={IconInfoCircle}>
          For testing what an API validates. The token is signed with a key of this server but not
          issued, so introspection, userinfo and token exchange reject it.
        </ToneLine>
        <BaseFields />
        <JsonField
          label="Header"
          description="alg and kid are added from the key."
          minRows={3}
          value={header}
          error={problems.header}
          onChange={(event) => edit({ header: event.currentTarget.value })}
        />
        <JsonField
          label="Claims"
          description="Each token gets a new jti. Times are in seconds since 1970."
          value={claims}
          error={problems.claims}
          onChange={(event) => edit({ claims: event.currentTarget.value })}
        />
        <Stack gap="xs" role="group" aria-label="Mistakes">
          {MISTAKE_GROUPS.map((group) => (
            <MistakeGroup key={group} group={group} wrong={wrong} />
          ))}
          {/* Why they cannot be made together. */}
          {problems.wrong && <Problem>{problems.wrong}</Problem>}
        </Stack>
        <div className={classes.sign}>
          <ActionButton
            variant="filled"
            leftSection={<IconSignature />}
            onClick={() => void signBuilt()}
            busy={busy}
            needs="connection"
          >
            {wrong.length === 0 ? 'Sign' : `Sign with ${pluralize(wrong.length, 'mistake')}`}
          </ActionButton>
        </div>
      </Stack>
      {result !== null && <SignedResult result={result} />}
    </section>
  );
}
