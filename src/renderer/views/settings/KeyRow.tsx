import { ActionIcon, Tooltip } from '@mantine/core';
import { IconKeyOff } from '@tabler/icons-react';
import type { SigningKey } from '../../../control/schemas.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import { clockInWords } from '../../../oauth/moments.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { StatusTag } from '../../ui/status.tsx';
import table from '../../ui/grid/table.module.css';
import { retireKey } from './key-actions.ts';
import { useNeed } from '../../ui/use-need.ts';

const stateOf = ({ signing, published }: SigningKey) =>
  [signing ? 'signing' : null, published ? 'published' : 'not published']
    .filter((word) => word !== null)
    .join(', ');

interface KeyRowProps {
  readonly signingKey: SigningKey;
  readonly keys: readonly SigningKey[];
}

export function KeyRow({ signingKey, keys }: KeyRowProps) {
  const now = useSandboxNow();
  const { kid, alg, signing, created_at, public_jwk } = signingKey;
  const needs = useNeed('connection');
  return (
    <tr>
      <td className={table.cut}>
        <code title={kid}>{kid}</code>
      </td>
      <td>{alg}</td>
      <td>
        <StatusTag tone={signing ? 'ok' : 'muted'}>{stateOf(signingKey)}</StatusTag>
      </td>
      <td className={table.muted}>{clockInWords(Date.parse(created_at), now)}</td>
      <td>
        <span className={table.actions}>
          {public_jwk !== null && (
            <CopyButton
              value={JSON.stringify(public_jwk, null, 2)}
              label={`Copy public JWK of ${kid}`}
            />
          )}
          <Tooltip label="Retire">
            <ActionIcon
              color="bad"
              aria-label={`Retire ${kid}`}
              onClick={() => void retireKey(signingKey, keys)}
              {...needs}
            >
              <IconKeyOff size="1.1em" />
            </ActionIcon>
          </Tooltip>
        </span>
      </td>
    </tr>
  );
}
