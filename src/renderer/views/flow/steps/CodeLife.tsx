import { useSandboxNow } from '../../../connection/clock.ts';
import { codeLifeOf } from '../../../sending/code-life.ts';
import { useFlow } from '../flow-store.ts';

/** How long the held code, or the codes of the device, can still be redeemed, by the sandbox clock. */
export function CodeLife({ of }: { readonly of: 'code' | 'device' }) {
  const code = useFlow((state) => state[of]);
  const now = useSandboxNow();
  if (code === null) return null;
  const life = codeLifeOf(code, now);
  return life.state === 'redeemable' ? ` · expires in ${life.left}` : ` · ${life.state}`;
}
