import { useEffect, useState, type KeyboardEvent } from 'react';
import { navigate } from '../../route.ts';
import table from '../../ui/table.module.css';
import { useVirtualRows } from '../../ui/use-virtual-rows.ts';
import { rowsOf, type TokenList } from './token-list.ts';
import { beginAnew, lookAt } from './token-store.ts';
import { NewerTokens } from './NewerTokens.tsx';
import { rowId, TokenRow } from './TokenRow.tsx';
import classes from './Tokens.module.css';

const COLUMNS = [
  { name: 'Kind', className: classes.kindColumn },
  { name: 'State', className: classes.stateColumn },
  { name: 'Client', className: classes.client },
  { name: 'User', className: classes.user },
  { name: 'Audience', className: classes.audience },
  { name: 'Scope', className: classes.scope },
  { name: 'Issued', className: classes.issued },
  { name: 'Life', className: classes.lifeColumn },
];

const openToken = (id: string) => void navigate('tokens', id);

/** Rows that a key moves by; the edges are reached by numbers larger than any list. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

interface TokenTableProps {
  readonly list: TokenList;
  /** The credential that is open beside it. */
  readonly open: string | null;
}

/** Everything issued, newest first: only what stands in view is drawn. */
export function TokenTable({ list, open }: TokenTableProps) {
  const rows = rowsOf(list);
  const { scroller, indices, above, below, scrollTo } = useVirtualRows(rows.length);
  const [active, setActive] = useState(open);
  const first = indices[0] ?? 0;
  const last = indices.at(-1) ?? 0;
  const look = () => {
    lookAt({ first, last, at_top: (scroller.current?.scrollTop ?? 0) <= 1 });
  };
  // What stands in view is told after it was drawn, and again when the list under it has changed.
  useEffect(look, [first, last, list.pages, scroller]);

  const toTop = () => {
    scroller.current?.scrollTo({ top: 0 });
    beginAnew();
  };
  const moveTo = (index: number) => {
    const id = rows[Math.max(0, Math.min(rows.length - 1, index))]?.id;
    if (id === undefined) return;
    setActive(id);
    scrollTo(rows.findIndex((row) => row.id === id));
    if (open !== null) openToken(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const at = rows.findIndex(({ id }) => id === active);
    if (step !== undefined) {
      event.preventDefault();
      moveTo(at === -1 ? first : at + step);
    } else if ((event.key === 'Enter' || event.key === ' ') && active !== null) {
      event.preventDefault();
      openToken(active);
    } else if (event.key === 'Escape' && open !== null) {
      void navigate('tokens');
    }
  };
  const openRow = (id: string) => {
    setActive(id);
    openToken(id);
  };
  const drawn = indices.some((index) => rows[index]?.id === active);
  return (
    <div className={classes.listing}>
      <div className={classes.scroll} ref={scroller} onScroll={look}>
        <table
          className={`${table.table} ${classes.table}`}
          role="grid"
          aria-label="Tokens"
          aria-rowcount={list.pages.at(-1)?.next === null ? rows.length + 1 : -1}
          aria-activedescendant={drawn && active !== null ? rowId(active) : undefined}
          tabIndex={0}
          onKeyDown={onKeyDown}
        >
          <thead>
            <tr aria-rowindex={1}>
              {COLUMNS.map(({ name, className }) => (
                <th key={name} scope="col" className={className}>
                  {name}
                </th>
              ))}
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
      </div>
      {list.newer && <NewerTokens onShow={toTop} />}
    </div>
  );
}

/** The room of the rows that are not drawn. */
function Spacer({ height }: { readonly height: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden="true" className={classes.spacer}>
      <td style={{ height }} />
    </tr>
  );
}
