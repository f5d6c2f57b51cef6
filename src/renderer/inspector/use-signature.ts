import { useEffect, useState } from 'react';
import { usePage } from '../connection/state.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';
import { verifySignature, type SignatureVerdict } from './signature.ts';

const CHECKING: SignatureVerdict = { state: 'checking', text: '' };

/** The verdict on the token's signature, renewed when the server's keys change. */
export function useSignature(token: string, jwt: DecodedJwt): SignatureVerdict {
  const keys = usePage((state) => state.keys);
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
