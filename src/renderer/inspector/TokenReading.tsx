import { Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReadPart, jwtOf, type ReadToken } from '../../oauth/jwt.ts';
import { capitalized } from '../../words.ts';
import { useSandboxNow } from '../connection/clock.ts';
import {
  ClaimTable,
  EXPLAIN,
  LongText,
  type Part,
  PartProblems,
  useClaimContext,
} from './ClaimTable.tsx';
import { ToneLine } from '../ui/status.tsx';
import { Findings, TokenInspector } from './TokenInspector.tsx';
import type { VerificationKeys } from './signature.ts';
import type { CSSProperties } from 'react';
import classes from './Inspector.module.css';
import { Hint } from '../ui/panel.tsx';

/** A part with its members; one that is not a JSON object with its problems and its text. */
function PartReading({ part, read }: { readonly part: Part; readonly read: ReadPart }) {
  const context = useClaimContext(useSandboxNow());
  const { text, decoded, json, problems } = read;
  if (json !== null) {
    const explain = EXPLAIN[part](json, context);
    return <ClaimTable part={part} members={json} explain={explain} problems={problems} />;
  }
  const title = capitalized(part);
  return (
    <section className={classes.part} data-part={part} aria-label={title}>
      <h3>{title}</h3>
      <PartProblems problems={problems} />
      {text !== '' && (
        <p className={classes.encoded}>
          <LongText text={decoded ?? text} label={part} />
        </p>
      )}
    </section>
  );
}

/** The parts after the header, in order (RFC 7516 3.1). */
const PARTS = [
  [
    'Encrypted key',
    'the content key, encrypted for the recipient; empty when it was agreed in advance',
  ],
  ['Initialization vector', 'makes equal claims encrypt to different text'],
  ['Ciphertext', 'the claims, encrypted'],
  ['Authentication tag', 'detects whether anything was changed'],
] as const;

type Read<K extends ReadToken['kind']> = Extract<ReadToken, { kind: K }>;

/** An encrypted token: its header, and what its other parts are for. */
function JweReading({ header, parts }: Read<'jwe'>) {
  return (
    <>
      <ToneLine tone="warn" icon={IconLock} role="status">
        <b>Encrypted (JWE).</b> Five parts instead of three: only the holder of the key can read its
        claims. Grantbench does not issue encrypted tokens.
      </ToneLine>
      <PartReading part="header" read={header} />
      <section className={classes.part} data-part="sealed" aria-label="Encrypted parts">
        <h3>Encrypted parts</h3>
        <dl style={{ '--names': '9rem' } as CSSProperties}>
          {PARTS.map(([name, words], index) => (
            <div key={name}>
              <Text component="dt" ff="var(--font)">
                {name}
              </Text>
              <dd className={classes.value}>
                {(parts[index + 1] ?? '').length.toLocaleString('en')} characters
              </dd>
              <Text component="dd" fz="var(--fs-xs)" c="dimmed">
                {words}
              </Text>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

interface TokenReadingProps {
  readonly token: string;
  readonly read: ReadToken;
  /** The keys to verify a signature with; null: those of the server. */
  readonly keys: VerificationKeys | null;
}

/** Shows a token according to its kind. */
export function TokenReading({ token, read, keys }: TokenReadingProps) {
  switch (read.kind) {
    case 'nothing':
      return null;
    case 'opaque':
      return (
        <Hint>
          <b>Opaque.</b> {read.length.toLocaleString('en')} characters without a dot: a code, a
          refresh token or an opaque access token. It contains no readable claims; only its issuer
          can look it up.
        </Hint>
      );
    case 'neither':
      return <Neither {...read} />;
    case 'jwe':
      return <JweReading {...read} />;
    case 'jws':
      return <JwsReading token={token} read={read} keys={keys} />;
  }
}

const MANY = 8;

function Neither({ parts }: Read<'neither'>) {
  const count = parts.length >= MANY ? `${MANY} or more` : String(parts.length);
  const text = `This text has ${count} parts between its dots. A signed token (JWS) has three, an encrypted one (JWE) has five.`;
  return <Findings findings={[{ tone: 'bad', title: 'Not a token.', text }]} />;
}

const CUT = {
  tone: 'bad',
  title: 'Truncated.',
  text: 'The second dot and the signature are missing; a signed token has three parts (RFC 7515 3.1).',
} as const;

function JwsReading({ token, read, keys }: TokenReadingProps & { readonly read: Read<'jws'> }) {
  const jwt = jwtOf(read);
  const { header, payload } = read;
  if (jwt !== null) {
    const problems = { header: header.problems, payload: payload.problems };
    return <TokenInspector token={token} jwt={jwt} problems={problems} keys={keys} />;
  }
  return (
    <>
      {read.signature === null && <Findings findings={[CUT]} />}
      <PartReading part="header" read={header} />
      <PartReading part="payload" read={payload} />
    </>
  );
}
