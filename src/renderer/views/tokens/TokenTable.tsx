import {
  memo,
  useCallback,
  useEffect,
  useMemo,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from 'react';
import { Box, Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { Credential } from '../../../control/schemas.ts';
import { useSandboxNow, sandboxNow } from '../../connection/clock.ts';
import { navigate } from '../../navigation/route.ts';
import { type RowMenu, openRowMenu } from '../../ui/grid/row-menu.tsx';
import { ColumnHeads } from '../../ui/grid/GridTable.tsx';
import { useColumnWidths, widthStyle } from '../../ui/preferences.ts';
import { rowAfterKey, useVirtualRows, type VirtualRows } from '../../ui/grid/rows.ts';
import table from '../../ui/grid/table.module.css';
import { asOf, issuedInWords, isLive, KIND_WORDS } from './credential.ts';
import { KindName, LifeCell, StateTag } from './TokenLabels.tsx';
import {
  copyToken,
  expireToken,
  replayShown,
  revokeLineage,
  revokeToken,
  withToken,
} from './token-actions.ts';
import { restartList, rowsOf, setVisibleRows, type TokenList } from './token-list.ts';
import classes from './Tokens.module.css';

interface TokenRowProps {
  readonly credential: Credential;
  readonly index: number;
  /** Whether the row is the active one for the keyboard. */
  readonly active: boolean;
  readonly open: boolean;
  readonly onOpen: (id: string) => void;
}

const rowId = (id: string): string => `token-${id}`;

const TokenRow = memo(function TokenRow(props: TokenRowProps) {
  const { credential, index, active, open, onOpen } = props;
  const now = useSandboxNow();
  const current = asOf(credential, now);
  const { id, kind, state, client_id, sub, audience, scope, issued_at } = current;
  return (
    <tr
      id={rowId(id)}
      className={`${classes.row} ${table.opens}`}
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
      <td className={table.from520} title={client_id}>
        {client_id}
      </td>
      <td className={table.from760} title={sub}>
        {sub}
      </td>
      <td className={table.from900} title={audience ?? undefined}>
        {audience ?? <span className={table.muted}>not decided</span>}
      </td>
      <td className={table.from900} title={scope}>
        {scope === '' ? <span className={table.muted}>none</span> : <code>{scope}</code>}
      </td>
      <td className={`${table.from640} figures`} title={issued_at}>
        {issuedInWords(current, now)}
      </td>
      <td>
        <LifeCell credential={current} now={now} />
      </td>
    </tr>
  );
});

/** The menu of a row, with the actions of the pane's buttons. @param credential in its current state */
function tokenMenu(credential: Credential): RowMenu {
  const { id, kind } = credential;
  const ended = !isLive(credential);
  const replay = async () => {
    if (await navigate('tokens', id)) await withToken(id, replayShown);
  };
  return {
    label: `${KIND_WORDS[kind]} ${id}`,
    actions: [
      { title: 'Open', run: () => navigate('tokens', id) },
      { title: 'Copy', needs: 'connection', run: () => copyToken(credential) },
      ...(kind === 'access_token'
        ? []
        : [{ title: 'Replay', needs: 'server', run: replay } as const]),
      {
        title: 'Expire now…',
        needs: 'connection',
        disabled: ended,
        run: () => withToken(id, expireToken),
      },
      {
        title: 'Revoke…',
        needs: 'connection',
        disabled: ended,
        danger: true,
        run: () => withToken(id, revokeToken),
      },
      {
        title: 'Revoke the lineage…',
        needs: 'connection',
        danger: true,
        run: () => withToken(id, ({ lineage }) => revokeLineage(lineage)),
      },
    ],
  };
}

const COLUMNS = [
  { id: 'kind', name: 'Kind', width: 'clamp(10rem, 34cqi, 10.75rem)' },
  { id: 'state', name: 'State', width: 'clamp(6.1rem, 20cqi, 7.75rem)' },
  { id: 'client', name: 'Client', width: 'clamp(5.5rem, 9cqi, 9rem)', className: table.from520 },
  { id: 'user', name: 'User', width: '6rem', className: table.from760 },
  { id: 'audience', name: 'Audience', className: table.from900 },
  { id: 'scope', name: 'Scope', className: table.from900 },
  { id: 'issued', name: 'Issued', width: '5.75rem', className: table.from640 },
  { id: 'life', name: 'Life', width: 'clamp(4.5rem, calc(60cqi - 8.2rem), 11rem)' },
];

interface TokenTableProps {
  readonly list: TokenList;
  /** The credential that is open beside it. */
  readonly open: string | null;
}

/** The active row, and the keys that move it. While a credential is open, moving opens the new row. */
function useRowKeys(rows: readonly Credential[], open: string | null, virtual: VirtualRows) {
  const [active, setActive] = useState(open);
  const openRow = useCallback((id: string) => {
    setActive(id);
    void navigate('tokens', id);
  }, []);
  const moveTo = (index: number) => {
    const id = rows[index]?.id;
    if (id === undefined) return;
    virtual.scrollTo(index);
    if (open === null) setActive(id);
    else openRow(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = rows.findIndex(({ id }) => id === active);
    const target = rowAfterKey(event.key, at, virtual.indices[0] ?? 0, rows.length);
    const opens = (event.key === 'Enter' || event.key === ' ') && active !== null;
    if (target !== null || opens) event.preventDefault();
    if (target !== null) moveTo(target);
    else if (opens) openRow(active);
    else if (event.key === 'Escape' && open !== null) void navigate('tokens');
  };
  return { active, openRow, onKeyDown };
}

/** Opens the menu of the row under the mouse, else that of the active row. */
function openMenuOf(event: MouseEvent, rows: readonly Credential[], active: string | null): void {
  const under = event.target instanceof Element ? event.target.closest('tr[id]') : null;
  const row = under ?? (active === null ? null : document.getElementById(rowId(active)));
  const credential = rows.find(({ id }) => rowId(id) === row?.id);
  if (row === null || credential === undefined) return;
  openRowMenu(event, row, tokenMenu(asOf(credential, sandboxNow())));
}

export function TokenTable({ list, open }: TokenTableProps) {
  const rows = useMemo(() => rowsOf(list), [list]);
  const virtual = useVirtualRows(rows.length);
  const { scroller, indices, above, below } = virtual;
  const { active, openRow, onKeyDown } = useRowKeys(rows, open, virtual);
  const widths = useColumnWidths('tokens');
  const first = indices[0] ?? 0;
  const last = indices.at(-1) ?? 0;
  const reportVisible = useCallback(() => {
    setVisibleRows({ first, last, at_top: (scroller.current?.scrollTop ?? 0) <= 1 });
  }, [first, last, scroller]);
  // Reports the visible rows after they were rendered, and again when the list has changed.
  useEffect(reportVisible, [reportVisible, list.pages]);
  const toTop = useCallback(() => {
    scroller.current?.scrollTo({ top: 0 });
  }, [scroller]);
  useEffect(toTop, [toTop, list.filter]);
  const showNewer = () => {
    toTop();
    restartList();
  };
  const drawn = indices.some((index) => rows[index]?.id === active);
  return (
    <Box display="flex" pos="relative" flex={1} mih={0}>
      <Box
        flex={1}
        miw={0}
        style={{ overflow: 'auto', overflowAnchor: 'none' }}
        ref={scroller}
        onScroll={reportVisible}
      >
        <table
          className={`${table.table} ${table.grid} ${classes.table}`}
          style={{ ...widthStyle(widths), minWidth: '20rem' }}
          role="grid"
          aria-label="Tokens"
          aria-rowcount={list.pages.at(-1)?.next === null ? rows.length + 1 : -1}
          aria-activedescendant={drawn && active !== null ? rowId(active) : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onContextMenu={(event) => openMenuOf(event, rows, active)}
        >
          <thead>
            <tr aria-rowindex={1}>
              <ColumnHeads table="tokens" columns={COLUMNS} as="th" />
            </tr>
          </thead>
          <tbody>
            <Spacer height={above} />
            {indices.map((index) => {
              const credential = rows[index];
              return credential === undefined ? null : (
                <TokenRow
                  key={credential.id}
                  credential={credential}
                  index={index}
                  active={credential.id === active}
                  open={credential.id === open}
                  onOpen={openRow}
                />
              );
            })}
            <Spacer height={below} />
          </tbody>
        </table>
      </Box>
      {list.newer && (
        <div role="status">
          <Button className={table.newer} leftSection={<IconArrowUp />} onClick={showNewer}>
            Show newer tokens
          </Button>
        </div>
      )}
    </Box>
  );
}

/** The height of the rows that are not rendered. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={classes.spacer}>
      <td style={{ height }} />
    </tr>
  );
}
