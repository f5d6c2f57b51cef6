// The panel that shows an exchange in every view: its cause, the raw messages, its tokens and the clock.

import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { Button, SegmentedControl, Switch, Tabs, Box, Group, Stack, Text } from '@mantine/core';
import type { Exchange } from '../../control/schemas.ts';
import { explainProof, explainProofHeader } from '../../oauth/claims.ts';
import { thumbprintOf } from '../../oauth/dpop.ts';
import { headerOf } from '../../oauth/fields.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { REDACTED } from '../../redact/spans.ts';
import { useSandboxNow, momentInZones, offsetFrom } from '../connection/clock.ts';
import { ClaimTable, useClaimContext } from '../inspector/ClaimTable.tsx';
import { milliseconds } from '../ui/short-forms.ts';
import { CopyButton } from '../ui/buttons.tsx';
import { TokenInspector } from '../inspector/TokenInspector.tsx';
import { requestLine } from '../ui/status.tsx';
import { PathText } from '../ui/PathText.tsx';
import { PanelHead, Hint } from '../ui/panel.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import inspector from '../inspector/Inspector.module.css';
import { Facts } from '../ui/Facts.tsx';
import { boundKeys, redirectAnswerOf, tokenAnswerOf } from './answer.ts';
import { AnswerTag } from './ExchangeLine.tsx';
import { type SecretsSwitch, hidesSecrets, masked } from './secrets.ts';
import { type RawMessage, rawRequest, rawResponse } from './raw-http.ts';
import { RawText } from './RawText.tsx';
import { WhyTab } from './WhyTab.tsx';
import rawStyles from './Raw.module.css';

const TAB_NAMES = {
  why: 'Why',
  request: 'Request',
  response: 'Response',
  token: 'Token',
  clock: 'Clock',
} as const;

export type DetailTab = keyof typeof TAB_NAMES;
const DETAIL_TABS = Object.keys(TAB_NAMES) as DetailTab[];

/** The key of the proof, and for each token of this exchange whether it is bound to that key. */
function KeyLine({ exchange, jwk }: { readonly exchange: Exchange; readonly jwk: unknown }) {
  const computeJkt = useCallback(() => thumbprintOf(jwk), [jwk]);
  const jkt = useLoaded(computeJkt, 0, jwk).known;
  const bound = useMemo(() => boundKeys(exchange), [exchange]);
  if (jkt === null) return null;
  return (
    <Box fz="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <p>
        Key thumbprint: <code>{jkt}</code>
      </p>
      {bound.map(({ what, jkt: of }) => (
        <Text key={what} size="xs" c={of === jkt ? 'dimmed' : 'var(--bad)'}>
          {of === jkt
            ? `${what} is bound to this key: cnf.jkt equals its thumbprint.`
            : `${what} is bound to another key: cnf.jkt is ${of}.`}
        </Text>
      ))}
    </Box>
  );
}

/** The decoded DPoP proof of a request, with what each member binds (RFC 9449 4.2); nothing without a proof. */
function ProofReading({ exchange }: { readonly exchange: Exchange }) {
  const proof = headerOf(exchange.request.headers, 'dpop');
  const jwt = useMemo(() => (proof === null ? null : decodeJwt(proof)), [proof]);
  const context = useClaimContext(useSandboxNow());
  if (proof === null || proof === REDACTED) return null;
  return (
    <Stack component="section" gap="sm" px="md" pb="md" aria-label="DPoP proof">
      <Text component="h3" size="xs" fw="bold">
        DPoP proof
      </Text>
      {jwt === null ? (
        <Hint>The DPoP header cannot be decoded: it is not a signed JWT.</Hint>
      ) : (
        <>
          <KeyLine exchange={exchange} jwk={jwt.header['jwk']} />
          <ClaimTable
            title="Proof header"
            part="header"
            members={jwt.header}
            explain={explainProofHeader(context)}
          />
          <ClaimTable
            title="Proof payload"
            part="payload"
            members={jwt.payload}
            explain={explainProof(context)}
          />
        </>
      )}
    </Stack>
  );
}

function Moment({ ms }: { readonly ms: number }) {
  const at = new Date(ms).toISOString();
  return (
    <time className="mono" dateTime={at} title={at}>
      {momentInZones(ms)}
    </time>
  );
}

/** Both clocks when the request was received (behaviour 6.4). */
function ClockTab({ exchange }: { readonly exchange: Exchange }) {
  const { at, clock, duration_ms } = exchange;
  const offset = offsetFrom('machine time', clock.offset_seconds) ?? 'at machine time';
  const received = Date.parse(at);
  return (
    <Facts
      facts={[
        ['Sandbox time', <Moment key="sandbox" ms={received} />],
        ['Machine time', <Moment key="machine" ms={received - clock.offset_seconds * 1000} />],
        ['Sandbox clock', `${clock.frozen ? 'frozen' : 'running'}, ${offset}`],
        [
          'Duration',
          `${milliseconds(duration_ms)} in real time; the sandbox clock does not affect it`,
        ],
      ]}
    />
  );
}

const NAMES = {
  access_token: 'Access token',
  refresh_token: 'Refresh token',
  id_token: 'ID token',
} as const;

type Name = keyof typeof NAMES;

type Tokens = Readonly<Record<Name, string | null>>;

/** The tokens in the body, or in the redirect of an authorization response (OpenID Connect Core 3.3.2.5). */
const tokensOf = (exchange: Exchange): Tokens =>
  tokenAnswerOf(exchange) ?? {
    access_token: null,
    refresh_token: null,
    id_token: redirectAnswerOf(exchange)?.get('id_token') ?? null,
  };

interface TokenTabProps {
  readonly exchange: Exchange;
  readonly secrets: SecretsSwitch;
}

function TokenTab({ exchange, secrets }: TokenTabProps) {
  const [wanted, setWanted] = useState<Name>('access_token');
  const tokens = useMemo(() => tokensOf(exchange), [exchange]);
  const names = (Object.keys(NAMES) as Name[]).filter((name) => tokens[name] !== null);
  const shown = names.includes(wanted) ? wanted : (names[0] ?? wanted);
  const token = tokens[shown];
  const jwt = useMemo(() => (token === null ? null : decodeJwt(token)), [token]);
  if (token === null) {
    return <Hint p="md">This response contains no token that can be shown here.</Hint>;
  }
  if (token === REDACTED) {
    return (
      <Stack gap="sm" px="md" pt="sm" pb="md" align="flex-start">
        <Hint>Tokens are hidden. Reveal secrets to see them.</Hint>
        <Button onClick={() => secrets.onReveal(true)}>Reveal secrets</Button>
      </Stack>
    );
  }
  return (
    <Stack gap="sm" px="md" pt="sm" pb="md">
      <Group justify="space-between" gap="xs">
        {names.length > 1 ? (
          <SegmentedControl
            aria-label="Token"
            value={shown}
            onChange={setWanted}
            data={names.map((value) => ({ value, label: NAMES[value] }))}
          />
        ) : (
          <Text component="h3" size="xs" fw="bold">
            {NAMES[shown]}
          </Text>
        )}
        <CopyButton value={token} label={`Copy ${NAMES[shown].toLowerCase()}`} text="Copy" />
      </Group>
      {jwt === null ? (
        <>
          <Hint>
            <b>Opaque.</b> It contains no readable claims; only this server can look it up.
          </Hint>
          <p className={inspector.encoded}>{token}</p>
        </>
      ) : (
        <TokenInspector token={token} jwt={jwt} />
      )}
    </Stack>
  );
}

interface RawTabProps {
  /** "request" or "response", used in labels. */
  readonly what: string;
  readonly raw: (pretty: boolean) => RawMessage;
  readonly secrets: SecretsSwitch;
}

function RawTab({ what, raw, secrets: { revealed, onReveal } }: RawTabProps) {
  const [pretty, setPretty] = useState(true);
  const { head, body, query, remark } = raw(pretty);
  const hides = revealed || hidesSecrets(head) || hidesSecrets(body);
  const shown = (text: string) => (revealed ? text : masked(text));
  const exact = raw(false);
  return (
    <Stack gap={10} px="md" pt="sm" pb="md">
      <Group>
        <Switch
          label="Pretty"
          checked={pretty}
          onChange={(event) => setPretty(event.currentTarget.checked)}
        />
        {hides && (
          <Switch
            label="Reveal secrets"
            checked={revealed}
            onChange={(event) => onReveal(event.currentTarget.checked)}
          />
        )}
        <Box ml="auto">
          <CopyButton value={`${exact.head}\n\n${exact.body}`} label={`Copy ${what}`} text="Copy" />
        </Box>
      </Group>
      <pre className={rawStyles.text} tabIndex={0} role="region" aria-label={`Raw ${what}`}>
        <RawText head={shown(head)} body={shown(body)} query={shown(query)} bodyFirst={pretty} />
      </pre>
      {[body === '' ? 'No body.' : null, remark].map(
        (words) => words !== null && <Hint key={words}>{words}</Hint>,
      )}
    </Stack>
  );
}

interface ExchangeDetailProps {
  readonly exchange: Exchange;
  readonly tab: DetailTab;
  readonly onTab: (tab: DetailTab) => void;
  /** By default secrets are only masked here, because they belong to the user. */
  readonly secrets?: SecretsSwitch;
  /** Buttons at the end of the header. */
  readonly actions: ReactNode;
  /** A line below the header. */
  readonly facts?: ReactNode;
  /** Shown above the cause. */
  readonly lead?: ReactNode;
}

export function ExchangeDetail(props: ExchangeDetailProps) {
  const { exchange, tab, onTab, actions, facts, lead } = props;
  const [revealed, onReveal] = useState(false);
  const secrets = props.secrets ?? { revealed, onReveal };
  const { number, duration_ms } = exchange;
  const content: Record<DetailTab, ReactNode> = {
    why: <WhyTab exchange={exchange} lead={lead} />,
    request: (
      <>
        <RawTab what="request" raw={(pretty) => rawRequest(exchange, pretty)} secrets={secrets} />
        <ProofReading exchange={exchange} />
      </>
    ),
    response: (
      <RawTab what="response" raw={(pretty) => rawResponse(exchange, pretty)} secrets={secrets} />
    ),
    token: <TokenTab key={number} exchange={exchange} secrets={secrets} />,
    clock: <ClockTab exchange={exchange} />,
  };
  return (
    <>
      <PanelHead
        title={
          <span className="mono">
            <PathText>{requestLine(exchange)}</PathText>
          </span>
        }
        note={
          <>
            <AnswerTag {...exchange} /> #{number} · {milliseconds(duration_ms)}
          </>
        }
      >
        {actions}
      </PanelHead>
      {facts}
      <Tabs value={tab} onChange={(value) => onTab(value as DetailTab)} keepMounted={false}>
        <Tabs.List>
          {DETAIL_TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {TAB_NAMES[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {DETAIL_TABS.map((name) => (
          <Tabs.Panel key={name} value={name} tabIndex={0}>
            {content[name]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
