import { Findings } from './Findings.tsx';
import { BrokenPart } from './BrokenPart.tsx';
import { ClaimTable } from './ClaimTable.tsx';
import { explainClaims, explainHeader } from '../../oauth/claims.ts';
import classes from './Inspector.module.css';
import { JweReading } from './JweReading.tsx';
import { jwtOf, type ReadPart, type ReadToken } from '../../oauth/jwt.ts';
import type { VerificationKeys } from './signature.ts';
import { TokenInspector } from './TokenInspector.tsx';
import { useClaimContext } from './use-claim-context.ts';
import { useSandboxNow } from '../connection/clock.ts';

interface TokenReadingProps {
  readonly token: string;
  readonly read: ReadToken;
  /** The keys to check a signature with; none: those of the server. */
  readonly keys?: VerificationKeys | null;
}

/** Shows a text as the kind of token it is. */
export function TokenReading({ token, read, keys = null }: TokenReadingProps) {
  switch (read.kind) {
    case 'nothing':
      return null;
    case 'opaque':
      return (
        <p className={classes.opaque}>
          <b>Opaque.</b> {read.length.toLocaleString('en')} characters without a dot: a code, a
          refresh token or an opaque access token. It contains no readable claims; only its issuer
          can look it up.
        </p>
      );
    case 'neither':
      return <Neither parts={read.parts} />;
    case 'jwe':
      return <JweReading header={read.header} parts={read.parts} />;
    case 'jws':
      return <JwsReading token={token} read={read} keys={keys} />;
  }
}

const MANY = 8;

function Neither({ parts }: { readonly parts: readonly string[] }) {
  const count = parts.length >= MANY ? `${MANY} or more` : String(parts.length);
  const text = `This text has ${count} parts between its dots. A signed token (JWS) has three, an encrypted one (JWE) has five.`;
  return <Findings findings={[{ tone: 'bad', title: 'Not a token.', text }]} />;
}

type Jws = Extract<ReadToken, { kind: 'jws' }>;

const CUT = {
  tone: 'bad',
  title: 'Truncated.',
  text: 'The second dot and the signature are missing; a signed token has three parts (RFC 7515 3.1).',
} as const;

interface JwsReadingProps {
  readonly token: string;
  readonly read: Jws;
  readonly keys: VerificationKeys | null;
}

function JwsReading({ token, read, keys }: JwsReadingProps) {
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

const TITLES = { header: 'Header', payload: 'Payload' } as const;

function PartReading({
  part,
  read,
}: {
  readonly part: 'header' | 'payload';
  readonly read: ReadPart;
}) {
  const context = useClaimContext(useSandboxNow());
  if (read.json === null) return <BrokenPart title={TITLES[part]} part={part} read={read} />;
  const explain = part === 'header' ? explainHeader : explainClaims;
  return (
    <ClaimTable
      title={TITLES[part]}
      part={part}
      members={read.json}
      explain={explain(read.json, context)}
      problems={read.problems}
    />
  );
}
