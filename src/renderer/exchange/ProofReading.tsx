import { useEffect, useMemo, useState } from 'react';
import type { Exchange } from '../../control/schemas.ts';
import { explainProof, explainProofHeader } from '../../oauth/claims.ts';
import { thumbprintOf } from '../../oauth/prover.ts';
import { headerOf } from '../../oauth/fields.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { REDACTED } from '../../redact/spans.ts';
import { useSandboxNow } from '../connection/clock.ts';
import { ClaimTable } from '../inspector/ClaimTable.tsx';
import inspector from '../inspector/Inspector.module.css';
import { useClaimContext } from '../inspector/use-claim-context.ts';
import { boundKeys } from './bound-keys.ts';
import classes from './ProofReading.module.css';

/** The thumbprint of a public key; null until it is calculated, and for what is no key. */
function useThumbprint(jwk: unknown): string | null {
  const [known, setKnown] = useState<{ readonly jwk: unknown; readonly jkt: string | null }>();
  useEffect(() => {
    let current = true;
    void thumbprintOf(jwk).then((jkt) => {
      if (current) setKnown({ jwk, jkt });
    });
    return () => {
      current = false;
    };
  }, [jwk]);
  return known !== undefined && known.jwk === jwk ? known.jkt : null;
}

/** The key of the proof, and the tokens of this exchange that are bound to it, or to another one. */
function KeyLine({ exchange, jwk }: { readonly exchange: Exchange; readonly jwk: unknown }) {
  const jkt = useThumbprint(jwk);
  const bound = useMemo(() => boundKeys(exchange), [exchange]);
  if (jkt === null) return null;
  return (
    <div className={classes.key}>
      <p>
        Thumbprint of the key: <code>{jkt}</code>
      </p>
      {bound.map(({ what, jkt: of }) => (
        <p key={what} data-differs={of !== jkt || undefined}>
          {of === jkt
            ? `${what} is bound to it: cnf.jkt is this thumbprint.`
            : `${what} is bound to another key: cnf.jkt is ${of}.`}
        </p>
      ))}
    </div>
  );
}

/** The DPoP proof of a request, decoded, with what each member binds (RFC 9449 4.2); nothing without one. */
export function ProofReading({ exchange }: { readonly exchange: Exchange }) {
  const proof = headerOf(exchange.request.headers, 'dpop');
  const jwt = useMemo(() => (proof === null ? null : decodeJwt(proof)), [proof]);
  const context = useClaimContext(useSandboxNow());
  if (proof === null || proof === REDACTED) return null;
  return (
    <section className={classes.proof} aria-label="DPoP proof">
      <h3 className={inspector.name}>DPoP proof</h3>
      {jwt === null ? (
        <p className={inspector.opaque}>The DPoP header cannot be decoded: it is no signed JWT.</p>
      ) : (
        <>
          <KeyLine exchange={exchange} jwk={jwt.header['jwk']} />
          <ClaimTable
            title="Header of the proof"
            part="header"
            members={jwt.header}
            explain={explainProofHeader(context)}
          />
          <ClaimTable
            title="Payload of the proof"
            part="payload"
            members={jwt.payload}
            explain={explainProof(context)}
          />
        </>
      )}
    </section>
  );
}
