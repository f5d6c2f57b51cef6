import { countdown, useSandboxNow } from '../../../connection/clock.ts';
import { useFlow } from '../flow-store.ts';

/** How long the held code can still be redeemed, by the sandbox clock. */
export function CodeLife() {
  const code = useFlow((state) => state.code);
  const now = useSandboxNow();
  if (code === null) return null;
  if (code.spent) return ' · redeemed';
  const left = (Date.parse(code.expires_at) - now) / 1000;
  return left > 0 ? ` · expires in ${countdown(left)}` : ' · expired';
}
