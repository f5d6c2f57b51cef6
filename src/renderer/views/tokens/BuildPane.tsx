// Builds and signs a token for a test, with or without deliberate mistakes. The engine signs; nothing is issued.

import {
  Button,
  Select,
  Checkbox,
  TextInput,
  ActionIcon,
  Tooltip,
  Group,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleX,
  IconSignature,
  IconInfoCircle,
  IconX,
} from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import {
  TOKEN_MISTAKES,
  type TokenMistake,
  MISTAKE_GROUPS,
  TOKEN_MISTAKE_NAMES,
} from '../../../control/names.ts';
import type { SignedToken } from '../../../control/schemas.ts';
import { jwtOf, readToken, type DecodedJwt } from '../../../oauth/jwt.ts';
import { type WrongMembers, TokenInspector } from '../../inspector/TokenInspector.tsx';
import { usePage } from '../../connection/state.ts';
import { chosenParty } from '../../sending/chosen-party.ts';
import { curlCommand } from '../../snippets/curl.ts';
import { Cited } from '../../ui/links.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { navigate } from '../../navigation/route.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { PanelHead } from '../../ui/panel.tsx';
import { pluralize } from '../../ui/short-forms.ts';
import { ToneLine } from '../../ui/status.tsx';
import { useNeed, whileBusy } from '../../ui/use-need.ts';
import form from '../../ui/form.module.css';
import panel from '../../ui/panel.module.css';
import split from '../../ui/split.module.css';
import {
  edit,
  takeClaims,
  useBuilt,
  toggleMistake,
  changeAndSign,
  signBuilt,
} from './build-store.ts';
import classes from './Tokens.module.css';

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

const named = (id: string, name: string) => (name === '' ? id : `${name} (${id})`);

const DEFAULT = 'default';

/** The client, user and audience of the access token that provides the claims. */
function BaseFields() {
  const { client_id, sub, audience } = useBuilt();
  const clients = usePage((state) => state.clients);
  const users = usePage((state) => state.users);
  const audiences = usePage((state) => state.audiences);
  const { client, user } = chosenParty();
  return (
    <fieldset className={form.group}>
      <legend>Start from an access token</legend>
      <SimpleGrid minColWidth="11rem" autoFlow="auto-fit" spacing="sm">
        <Select
          label="Client"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching clients"
          value={client_id ?? client?.client_id ?? null}
          onChange={(value) => edit({ client_id: value })}
          data={clients.map((one) => ({
            value: one.client_id,
            label: named(one.client_id, one.client_name),
          }))}
        />
        <Select
          label="User"
          searchable
          allowDeselect={false}
          nothingFoundMessage="No matching users"
          value={sub ?? user?.sub ?? null}
          onChange={(value) => edit({ sub: value })}
          data={users.map((one) => ({ value: one.sub, label: named(one.sub, one.name) }))}
        />
        <Select
          label="Audience"
          allowDeselect={false}
          value={audience ?? DEFAULT}
          onChange={(value) => edit({ audience: value === DEFAULT ? null : value })}
          data={[
            { value: DEFAULT, label: 'Client default' },
            ...audiences.map(({ uri, name }) => ({ value: uri, label: named(uri, name) })),
          ]}
        />
      </SimpleGrid>
      <Button
        className={form.start ?? ''}
        disabled={clients.length === 0 || users.length === 0}
        onClick={() => void takeClaims()}
      >
        Fill in header and claims
      </Button>
    </fieldset>
  );
}

interface MistakeListProps {
  readonly wrong: readonly TokenMistake[];
  /** Why the mistakes cannot be made together. */
  readonly problem: string | undefined;
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
        <Text span size="xs" c="dimmed" ms="xs">
          {chosen > 0 ? `${chosen} of ${names.length} chosen` : pluralize(names.length, 'mistake')}
        </Text>
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

/** The deliberate mistakes. Of two that exclude each other, the one chosen last remains. */
function MistakeList({ wrong, problem }: MistakeListProps) {
  return (
    <Stack gap="xs" role="group" aria-label="Mistakes">
      {MISTAKE_GROUPS.map((group) => (
        <MistakeGroup key={group} group={group} wrong={wrong} />
      ))}
      {problem !== undefined && (
        <Text size="xs" c="var(--bad)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  );
}

const EXPECTED = {
  accepted: { Icon: IconCircleCheck, tone: 'ok', word: 'Nothing is wrong with it.' },
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
      url: known ? url : 'http://localhost:3000/',
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
  return (
    <Button
      className={form.start ?? ''}
      ml={-12}
      variant="subtle"
      leftSection={<IconSignature size="1.1em" aria-hidden="true" />}
      onClick={() => void changeAndSign(jwt.header, jwt.payload)}
    >
      Change and sign…
    </Button>
  );
}

const close = () => void navigate('tokens');

const buttonText = (mistakes: number): string =>
  mistakes === 0 ? 'Sign' : `Sign with ${mistakes} mistake${mistakes === 1 ? '' : 's'}`;

/** Builds a token for a test, with or without deliberate mistakes. */
export function BuildPane() {
  const { header, claims, wrong, problems, busy, result } = useBuilt();
  useEffect(() => {
    if (claims === '') void takeClaims();
    // Runs only when the pane opens, so that a text that the user empties stays empty.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  const needs = useNeed('connection');
  return (
    <section className={`${split.editor} ${classes.pane}`} aria-label="Build a token">
      <PanelHead title="Build a token">
        <Tooltip label="Close">
          <ActionIcon aria-label="Close the builder" onClick={close}>
            <IconX size="1.1em" />
          </ActionIcon>
        </Tooltip>
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
        <MistakeList wrong={wrong} problem={problems.wrong} />
        <div className={classes.sign}>
          <Button
            variant="filled"
            leftSection={<IconSignature size="1.1em" aria-hidden="true" />}
            onClick={() => void signBuilt()}
            {...whileBusy(busy)}
            {...needs}
          >
            {buttonText(wrong.length)}
          </Button>
        </div>
      </Stack>
      {result !== null && <SignedResult result={result} />}
    </section>
  );
}
