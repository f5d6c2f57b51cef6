import type { DecodedJwt } from '../../oauth/jwt.ts';
import { explainClaims, explainHeader, lifeOf } from '../../oauth/claims.ts';
import { findingsOn } from '../../oauth/findings.ts';
import { useSandboxNow } from '../connection/clock.ts';
import { usePage } from '../connection/state.ts';
import { ClaimTable } from './ClaimTable.tsx';
import { Encoded } from './Encoded.tsx';
import { Findings } from './Findings.tsx';
import { LifeBar } from './LifeBar.tsx';
import type { VerificationKeys } from './signature.ts';
import { SignatureLine } from './SignatureLine.tsx';
import { useClaimContext } from './use-claim-context.ts';
import { useSignature } from './use-signature.ts';

/** Members that are wrong on purpose, each with the name of the mistake. */
export type WrongMembers = Readonly<Record<'header' | 'payload', ReadonlyMap<string, string>>>;

interface TokenInspectorProps {
  readonly token: string;
  readonly jwt: DecodedJwt;
  /** What is wrong with its parts though they can be read. */
  readonly problems?: Readonly<Record<'header' | 'payload', readonly string[]>>;
  /** The keys to check its signature with; none: those of the server. */
  readonly keys?: VerificationKeys | null;
  readonly wrong?: WrongMembers;
  /** Whether the sandbox is known to have ended it. */
  readonly ended?: boolean;
}

/** A JWT taken apart: signature verdict, remaining life, every claim in words, and the text itself. */
export function TokenInspector({
  token,
  jwt,
  problems,
  keys = null,
  wrong,
  ended = false,
}: TokenInspectorProps) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen ?? false);
  const context = useClaimContext(now);
  const verdict = useSignature(token, jwt, keys);
  const life = lifeOf(jwt.payload, now);
  return (
    <>
      <SignatureLine verdict={verdict} />
      <Findings findings={findingsOn(jwt, now)} />
      {life !== null && <LifeBar life={life} now={now} frozen={frozen} ended={ended} />}
      <ClaimTable
        title="Header"
        part="header"
        members={jwt.header}
        explain={explainHeader(jwt.header, context)}
        problems={problems?.header ?? []}
        wrong={wrong?.header}
      />
      <ClaimTable
        title="Payload"
        part="payload"
        members={jwt.payload}
        explain={explainClaims(jwt.payload, context)}
        problems={problems?.payload ?? []}
        wrong={wrong?.payload}
      />
      <Encoded parts={jwt.parts} />
    </>
  );
}
