import { useMemo } from 'react';
import { useSandboxNow } from '../../clock.ts';
import { usePage } from '../../state.ts';
import type { DecodedJwt } from './jwt.ts';
import { ClaimTable } from './ClaimTable.tsx';
import { explainClaims, explainHeader, lifeOf } from './claims.ts';
import classes from './Inspector.module.css';
import { LifeBar } from './LifeBar.tsx';
import { SignatureLine } from './SignatureLine.tsx';
import { useSignature } from './use-signature.ts';

interface TokenInspectorProps {
  readonly token: string;
  readonly jwt: DecodedJwt;
}

/** A JWT taken apart: signature verdict, remaining life, every claim in words, and the text itself. */
export function TokenInspector({ token, jwt }: TokenInspectorProps) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen ?? false);
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const users = usePage((state) => state.users);
  const verdict = useSignature(token, jwt);
  const header = useMemo(() => explainHeader(jwt.header), [jwt]);
  const nameOf = (sub: string) => users.find((user) => user.sub === sub)?.name || null;
  const life = lifeOf(jwt.payload, now);
  const [first, second, third] = jwt.parts;
  return (
    <>
      <SignatureLine verdict={verdict} />
      {life !== null && <LifeBar life={life} frozen={frozen} />}
      <ClaimTable title="Header" part="header" claims={header} />
      <ClaimTable
        title="Payload"
        part="payload"
        claims={explainClaims(jwt.payload, { now, issuer, nameOf })}
      />
      <section className={classes.part} data-part="whole" aria-label="Encoded">
        <h3>Encoded</h3>
        <p className={classes.encoded}>
          <span data-part="header">{first}</span>.<span data-part="payload">{second}</span>.
          <span data-part="signature">{third}</span>
        </p>
      </section>
    </>
  );
}
