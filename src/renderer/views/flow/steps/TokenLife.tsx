import { durationInWords } from '../../../../oauth/moments.ts';
import { decodeJwt } from '../../../../oauth/jwt.ts';
import { useSandboxNow } from '../../../connection/clock.ts';
import { useFlow } from '../flow-store.ts';

/** How long the token that was read is still good, by the sandbox clock; nothing for an opaque one. */
export function TokenLife() {
  const token = useFlow((state) => state.tokens?.access_token ?? null);
  const now = useSandboxNow();
  const jwt = token === null ? null : decodeJwt(token);
  if (jwt === null) return null;
  const { exp } = jwt.payload;
  if (typeof exp !== 'number') return ' · no expiry';
  const left = exp - now / 1000;
  return left > 0 ? ` · expires in ${durationInWords(left)}` : ' · expired';
}
