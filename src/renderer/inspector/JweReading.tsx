import { IconLock } from '@tabler/icons-react';
import { useSandboxNow } from '../connection/clock.ts';
import { BrokenPart } from './BrokenPart.tsx';
import { ClaimTable } from './ClaimTable.tsx';
import { explainHeader } from '../../oauth/claims.ts';
import classes from './Inspector.module.css';
import type { ReadPart } from '../../oauth/jwt.ts';
import { useClaimContext } from './use-claim-context.ts';

/** The parts after the header, in their order (RFC 7516 3.1). */
const PARTS = [
  [
    'Encrypted key',
    'the content key, encrypted for the recipient; empty when it was agreed in advance',
  ],
  ['Initialization vector', 'makes equal claims encrypt to different text'],
  ['Ciphertext', 'the claims, encrypted'],
  ['Authentication tag', 'detects whether anything was changed'],
] as const;

interface JweReadingProps {
  readonly header: ReadPart;
  readonly parts: readonly string[];
}

/** An encrypted token: what can be read is its header, and what the rest is for. */
export function JweReading({ header, parts }: JweReadingProps) {
  const context = useClaimContext(useSandboxNow());
  return (
    <>
      <p className={classes.signature} data-tone="warn" role="status">
        <IconLock aria-hidden="true" />
        <span>
          <b>Encrypted (JWE).</b> Five parts instead of three: only the holder of the key can read
          its claims. Grantbench does not issue encrypted tokens.
        </span>
      </p>
      {header.json === null ? (
        <BrokenPart title="Header" part="header" read={header} />
      ) : (
        <ClaimTable
          title="Header"
          part="header"
          members={header.json}
          explain={explainHeader(header.json, context)}
          problems={header.problems}
        />
      )}
      <section className={classes.part} data-part="sealed" aria-label="Encrypted parts">
        <h3>Encrypted parts</h3>
        <dl>
          {PARTS.map(([name, words], index) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={classes.value}>
                {(parts[index + 1] ?? '').length.toLocaleString('en')} characters
              </dd>
              <dd className={classes.words}>{words}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}
