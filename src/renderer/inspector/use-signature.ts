import { useEffect, useMemo, useState } from 'react';
import { usePage } from '../connection/state.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';
import {
  keysOfServer,
  verifySignature,
  type SignatureVerdict,
  type VerificationKeys,
} from './signature.ts';

const CHECKING: SignatureVerdict = { state: 'checking', text: '' };

/**
 * The verdict on the token's signature, renewed when the keys change.
 * @param given the keys to check it with; null: those of the server
 */
export function useSignature(
  token: string,
  jwt: DecodedJwt,
  given: VerificationKeys | null,
): SignatureVerdict {
  const own = usePage((state) => state.keys);
  const keys = useMemo(() => given ?? keysOfServer(own), [given, own]);
  const [known, setKnown] = useState({ token: '', verdict: CHECKING });
  useEffect(() => {
    let stale = false;
    void verifySignature(token, jwt, keys).then((verdict) => {
      if (!stale) setKnown({ token, verdict });
    });
    return () => {
      stale = true;
    };
  }, [token, jwt, keys]);
  return known.token === token ? known.verdict : CHECKING;
}
