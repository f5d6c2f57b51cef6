import { Button, Tabs, Box, Stack, Text, Tooltip, Group } from '@mantine/core';
import {
  IconEye,
  IconEyeOff,
  IconAlertTriangle,
  IconArrowLeft,
  IconCircleCheck,
  IconCircleX,
  IconKeyOff,
  IconBan,
  IconCopy,
  IconHourglassEmpty,
  IconSend,
} from '@tabler/icons-react';
import { useState, useMemo, useCallback } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Client, Credential } from '../../../control/schemas.ts';
import { type DecodedJwt, decodeJwt } from '../../../oauth/jwt.ts';
import { TokenInspector } from '../../inspector/TokenInspector.tsx';
import { hrefOf, navigate } from '../../navigation/route.ts';
import { usePage } from '../../connection/state.ts';
import { ExchangeLink } from '../../exchange/ExchangeLine.tsx';
import { ExchangeDetail, type DetailTab } from '../../exchange/ExchangeDetail.tsx';
import { Cited } from '../../ui/links.tsx';
import { useSandboxNow } from '../../connection/clock.ts';
import { EmptyState, Loading, PanelHead, Hint } from '../../ui/panel.tsx';
import { ToneLine } from '../../ui/status.tsx';
import inspector from '../../inspector/Inspector.module.css';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import split from '../../ui/split.module.css';
import { kindWords, isLive, timesOf, type CredentialTime, asOf } from './credential.ts';
import { ChangeButton } from './BuildPane.tsx';
import {
  forecastInWords,
  isAsExpected,
  replayStep,
  replayObstacle,
  revokesLineage,
} from './token-replay.ts';
import {
  copyToken,
  evaluateReplay,
  expireToken,
  leaveReplay,
  NOT_STORED,
  offlineNotice,
  readShown,
  type Replay,
  replayShown,
  revokeToken,
  type Shown,
  type TokenValue,
  useReplay,
  useTokenValue,
  valueOf,
} from './token-actions.ts';
import { ComparePanel } from './ComparePanel.tsx';
import { By, CloseButton, KindName, StateTag } from './TokenLabels.tsx';
import { LineagePanel } from './LineagePanel.tsx';
import { attemptConfirmed } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { clientById } from '../../sending/chosen-party.ts';
import { openRun, sendStep } from '../../sending/open-run.ts';
import { notify } from '../../ui/notify.tsx';
import { useObstacle } from '../../connection/reach.ts';
import { useLoaded } from '../../ui/use-loaded.ts';
import { ActionButton } from '../../ui/buttons.tsx';

/** The newest live refresh token of its lineage; null for none. */
const refreshTokenOf = ({ lineage }: Shown): Credential | null =>
  lineage.members.findLast((member) => member.kind === 'refresh_token' && isLive(member)) ?? null;

/** Expires an access token, then refreshes it as its app would, with the refresh token of its lineage (RFC 6749 1.5). */
async function expireAndRefresh(shown: Shown): Promise<void> {
  const refresh_token = refreshTokenOf(shown);
  const { id, client_id } = shown.credential;
  const client = clientById(client_id);
  if (refresh_token === null || client === null) return;
  const question = {
    title: 'Expire this access token and refresh it?',
    body: `It expires now, and Grantbench sends refresh token ${refresh_token.id} as ${client_id}. With rotation, your app is left with a replaced refresh token.`,
    confirm: 'Expire and refresh',
  };
  await attemptConfirmed(question, 'The access token was not expired and refreshed.', async () => {
    const value = await valueOf(refresh_token);
    await control.tokens.expire({ id });
    const step = replayStep(refresh_token, value, client);
    const { status, number } = await sendStep(step, openRun());
    notify(
      status === 200
        ? `Expired ${id} and got a new access token (exchange #${number})`
        : `Expired ${id}, but the refresh was rejected (exchange #${number})`,
    );
  });
}

const useClientOf = (credential: Credential): Client | null =>
  usePage(
    ({ clients }) => clients.find(({ client_id }) => client_id === credential.client_id) ?? null,
  );

function TokenButtons({ shown }: { readonly shown: Shown }) {
  const { credential } = shown;
  const live = isLive(credential);
  const client = useClientOf(credential);
  const refresh_token = credential.kind === 'access_token' ? refreshTokenOf(shown) : null;
  const obstacle = refresh_token === null ? null : replayObstacle(refresh_token, client);
  return (
    <Group gap={6} px="md" py="xs" role="toolbar" aria-label="Actions">
      <ActionButton
        leftSection={<IconCopy />}
        onClick={() => void copyToken(credential)}
        needs="connection"
      >
        Copy
      </ActionButton>
      {credential.kind !== 'access_token' && <ReplayButton shown={shown} />}
      <ActionButton
        disabled={!live}
        leftSection={<IconHourglassEmpty />}
        onClick={() => void expireToken(shown)}
        needs="connection"
      >
        Expire now…
      </ActionButton>
      {refresh_token !== null && (
        <ActionButton
          disabled={!live || obstacle !== null}
          title={obstacle ?? undefined}
          onClick={() => void expireAndRefresh(shown)}
          needs="server"
        >
          Expire and refresh…
        </ActionButton>
      )}
      <ActionButton
        color="bad"
        disabled={!live}
        leftSection={<IconBan />}
        onClick={() => void revokeToken(shown)}
        needs="connection"
      >
        Revoke…
      </ActionButton>
    </Group>
  );
}

/** What a forecast can depend on, besides the credential itself. */
const SOURCES = [
  'credentials_revision',
  'settings',
  'clients',
  'audiences',
  'users',
  'faults',
  'clock',
  'counters',
] as const;

const UNKNOWN = 'Evaluating…';

function ReplayButton({ shown }: { readonly shown: Shown }) {
  const { credential } = shown;
  const { id, kind, redirect_uri, audience, state } = credential;
  const client = useClientOf(credential);
  const known = useObstacle('server') ?? replayObstacle(credential, client);
  const evaluate = useCallback(
    () =>
      client === null
        ? Promise.resolve(null)
        : evaluateReplay({ id, kind, redirect_uri, audience }, client),
    [id, kind, redirect_uri, audience, client],
  );
  // Time alone can change the forecast, as in a grace window, so it is evaluated again on hover and focus.
  const sources = usePage(useShallow((page) => SOURCES.map((name) => page[name])));
  const forecast = useLoaded(evaluate, sources, `${id} ${state}`);
  const { known: value, retry: ask } = forecast;
  const obstacle = known ?? (value === null ? (forecast.problem ?? UNKNOWN) : null);
  const words = obstacle ?? `Expected: ${value === null ? '' : forecastInWords(value)}`;
  const revokes = value !== null && revokesLineage(value);
  return (
    <Tooltip label={words} multiline maw="22rem">
      <Button
        {...(revokes ? { color: 'bad' } : {})}
        {...(obstacle === null ? {} : { 'data-disabled': true, 'aria-disabled': true })}
        aria-description={words}
        leftSection={<IconSend />}
        onMouseEnter={ask}
        onFocus={ask}
        onClick={() => obstacle === null && void replayShown(shown)}
      >
        Replay{revokes ? '…' : ''}
      </Button>
    </Tooltip>
  );
}

const MASK = '•'.repeat(43);

/** A code or refresh token, hidden until the user reveals it. A provider may issue refresh tokens that are JWTs. */
function SecretText({ credential }: { readonly credential: Credential }) {
  const [shown, setShown] = useState(false);
  const { state, text } = useTokenValue(credential.id, shown);
  const jwt = useMemo(() => (text === null ? null : decodeJwt(text)), [text]);
  const kind = kindWords(credential.kind);
  return (
    <>
      <section className={inspector.part} aria-label="Text">
        <h3>Text</h3>
        <Text fz="var(--fs-xs)" c="dimmed">
          Opaque to the client, which presents it unchanged. Only this server needs to read it.
        </Text>
        {jwt === null && (
          <Box component="p" className={inspector.encoded} py="xs">
            {state === 'gone' ? 'Its text is no longer stored.' : (text ?? MASK)}
          </Box>
        )}
        <ActionButton
          variant="subtle"
          needs={shown ? undefined : 'connection'}
          aria-pressed={shown}
          leftSection={shown ? <IconEyeOff /> : <IconEye />}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Reveal'} the {kind}
        </ActionButton>
      </section>
      {text !== null && jwt !== null && (
        <TokenInspector token={text} jwt={jwt} ended={!isLive(credential)} />
      )}
    </>
  );
}

interface AccessTokenTextProps {
  /** In its current state. */
  readonly credential: Credential;
  readonly value: TokenValue;
  /** null while unknown, and for an opaque token. */
  readonly jwt: DecodedJwt | null;
  readonly now: number;
}

/** A decoded access token, with a notice if it was revoked or expired early. */
function AccessTokenText({ credential, value, jwt, now }: AccessTokenTextProps) {
  const { text, state } = value;
  const notice = isLive(credential) ? null : offlineNotice(credential, text, now);
  return (
    <>
      {notice !== null && (
        <ToneLine tone="warn" icon={IconAlertTriangle}>
          <b>Not valid at this server.</b> {notice}
        </ToneLine>
      )}
      {state === 'gone' && <Hint>{NOT_STORED}.</Hint>}
      {text !== null && jwt !== null && (
        <>
          <ChangeButton jwt={jwt} />
          <TokenInspector token={text} jwt={jwt} ended={!isLive(credential)} />
        </>
      )}
      {text !== null && jwt === null && <SecretText credential={credential} />}
    </>
  );
}

function codeFacts({ kind, redirect_uri, code_challenge_method }: Credential): Fact[] {
  if (kind !== 'code') return [];
  return [
    ['Redirect URI', <code key="uri">{redirect_uri}</code>],
    ['PKCE', code_challenge_method ?? 'no challenge'],
  ];
}

function timeFacts(times: readonly CredentialTime[]): Fact[] {
  return times.map(({ name, at, words, by }) => [
    name,
    <span key={name} title={at}>
      {words}
      <By exchange={by} otherwise={name === 'Issued' && ', issued directly'} />
    </span>,
  ]);
}

interface TokenFactsProps {
  readonly credential: Credential;
  /** Whether it is known to be a JWT. */
  readonly signed: boolean;
  readonly now: number;
}

function TokenFacts({ credential, signed, now }: TokenFactsProps) {
  const { client_id, sub, audience, scope } = credential;
  const users = usePage((state) => state.users);
  const name = users.find((user) => user.sub === sub)?.name ?? '';
  const facts: readonly Fact[] = [
    [
      'Client',
      <a key="client" className="mono" href={hrefOf('clients', client_id)}>
        {client_id}
      </a>,
    ],
    sub === client_id
      ? ['Subject', 'the client itself']
      : ['User', name === '' ? <code>{sub}</code> : `${name} (${sub})`],
    [
      'Audience',
      audience === null ? 'decided when the code is exchanged' : <code>{audience}</code>,
    ],
    ['Scope', scope === '' ? 'none' : <code>{scope}</code>],
    ...codeFacts(credential),
    ...timeFacts(timesOf(credential, signed, now)),
  ];
  return <Facts facts={facts} />;
}

interface ReplayAnswerProps {
  readonly replay: Replay;
  readonly onBack: () => void;
}

/** The result of replaying a credential, explained like every exchange. */
function ReplayAnswer({ replay, onBack }: ReplayAnswerProps) {
  const { exchange, forecast } = replay;
  const matched = isAsExpected(exchange, forecast);
  const [tab, setTab] = useState<DetailTab>('why');
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={setTab}
      facts={
        <Box px="md" pt="sm" pb={4}>
          <ToneLine tone={matched ? 'ok' : 'bad'} icon={matched ? IconCircleCheck : IconCircleX}>
            Replayed over real HTTP as <ExchangeLink number={exchange.number} />. Expected{' '}
            <Cited text={forecastInWords(forecast)} />{' '}
            <b>
              {matched
                ? 'Matched.'
                : `Actual: ${exchange.status}${exchange.error === null ? '' : ` ${exchange.error}`}.`}
            </b>
          </ToneLine>
        </Box>
      }
      actions={
        <Button variant="subtle" leftSection={<IconArrowLeft />} onClick={onBack}>
          Back to the token
        </Button>
      }
    />
  );
}

/** One credential: its claims, its facts and its lineage. */
export function TokenDetail({ id }: { readonly id: string }) {
  const read = useCallback(() => readShown(id), [id]);
  const revision = usePage((state) => state.credentials_revision);
  const { known, problem, code } = useLoaded(read, revision, id);
  const replay = useReplay(id);
  return (
    <section className={split.editor} aria-label={`Token ${id}`}>
      {replay !== null ? (
        <ReplayAnswer replay={replay} onBack={leaveReplay} />
      ) : known !== null ? (
        <ShownToken shown={known} />
      ) : (
        <>
          <PanelHead title={<code>{id}</code>}>
            <CloseButton what="token" />
          </PanelHead>
          {problem === null ? (
            <Loading>Reading {id}…</Loading>
          ) : (
            <EmptyState
              icon={IconKeyOff}
              title={code === 'not_found' ? 'No longer kept' : 'The token could not be loaded'}
              text={problem}
              action={
                <Button leftSection={<IconArrowLeft />} onClick={() => void navigate('tokens')}>
                  Back to the list
                </Button>
              }
            />
          )}
        </>
      )}
    </section>
  );
}

function ShownToken({ shown }: { readonly shown: Shown }) {
  const now = useSandboxNow();
  const [tab, setTab] = useState<string | null>('token');
  const credential = asOf(shown.credential, now);
  const { lineage } = shown;
  const access = credential.kind === 'access_token';
  const value = useTokenValue(credential.id, access);
  const jwt = useMemo(() => (value.text === null ? null : decodeJwt(value.text)), [value.text]);
  return (
    <>
      <PanelHead
        title={<KindName kind={credential.kind} id={credential.id} />}
        note={<StateTag state={credential.state} />}
      >
        <CloseButton what="token" />
      </PanelHead>
      <TokenButtons shown={{ credential, lineage }} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="token">Token</Tabs.Tab>
          <Tabs.Tab value="lineage">Lineage</Tabs.Tab>
          {access && <Tabs.Tab value="compare">Compare</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="token" tabIndex={0}>
          <TokenFacts credential={credential} signed={jwt !== null} now={now} />
          <Stack gap="sm" px="md" pb="md">
            {access ? (
              <AccessTokenText credential={credential} value={value} jwt={jwt} now={now} />
            ) : (
              <SecretText credential={credential} />
            )}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="lineage" tabIndex={0}>
          <LineagePanel lineage={lineage} open={credential.id} now={now} />
        </Tabs.Panel>
        {access && (
          <Tabs.Panel value="compare" tabIndex={0}>
            <ComparePanel name={credential.id} jwt={jwt} />
          </Tabs.Panel>
        )}
      </Tabs>
    </>
  );
}
