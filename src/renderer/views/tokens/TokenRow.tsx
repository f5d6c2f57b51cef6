import { memo } from 'react';
import type { Credential } from '../../../control/schemas.ts';
import { useSandboxNow } from '../../connection/clock.ts';
import table from '../../ui/grid/table.module.css';
import { asOf, issuedInWords } from './credential.ts';
import { KindName } from './KindName.tsx';
import { LifeCell } from './LifeCell.tsx';
import { StateTag } from './StateTag.tsx';
import classes from './Tokens.module.css';

interface TokenRowProps {
  readonly credential: Credential;
  /** Its place in the list, from 0. */
  readonly index: number;
  /** Whether the keyboard stands on it. */
  readonly active: boolean;
  readonly open: boolean;
  readonly onOpen: (id: string) => void;
}

export const rowId = (id: string): string => `token-${id}`;

export const TokenRow = memo(function TokenRow(props: TokenRowProps) {
  const { credential, index, active, open, onOpen } = props;
  const now = useSandboxNow();
  const current = asOf(credential, now);
  const { id, kind, state, client_id, sub, audience, scope, issued_at } = current;
  return (
    <tr
      id={rowId(id)}
      className={classes.row}
      aria-rowindex={index + 2}
      aria-selected={open}
      data-open={open || undefined}
      data-active={active || undefined}
      onClick={() => onOpen(id)}
    >
      <td>
        <KindName kind={kind} id={id} />
      </td>
      <td>
        <StateTag state={state} />
      </td>
      <td className={classes.client} title={client_id}>
        {client_id}
      </td>
      <td className={classes.user} title={sub}>
        {sub}
      </td>
      <td className={classes.audience} title={audience ?? undefined}>
        {audience ?? <span className={table.muted}>not decided</span>}
      </td>
      <td className={classes.scope} title={scope}>
        {scope === '' ? <span className={table.muted}>none</span> : <code>{scope}</code>}
      </td>
      <td className={classes.issued} title={issued_at}>
        {issuedInWords(current, now)}
      </td>
      <td>
        <LifeCell credential={current} now={now} />
      </td>
    </tr>
  );
});
