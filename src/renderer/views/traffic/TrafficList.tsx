import type { CSSProperties } from 'react';
import { pluralize } from '../../ui/short-forms.ts';
import { usePage } from '../../connection/state.ts';
import { isFiltered } from './filter.ts';
import { FilterBar } from './FilterBar.tsx';
import { FreshChip } from './FreshChip.tsx';
import { ListEnd } from './ListEnd.tsx';
import { ListHead } from './ListHead.tsx';
import { NothingFits, NothingSinceCleared, NothingYet } from './NoTraffic.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import { loadOlder } from './traffic-actions.ts';
import { useRows, useTraffic } from './traffic-store.ts';
import classes from './Traffic.module.css';
import { headRowsOf, TrafficTable } from './TrafficTable.tsx';

interface TrafficListProps {
  readonly open: number | null;
  readonly onOpen: (number: number) => void;
  readonly onEnter: () => void;
  readonly onClose: () => void;
}

const onEnd = () => void loadOlder();
const END = <ListEnd />;

/** Why the list is empty. */
function Nothing() {
  const known = usePage((state) => state.exchanges.size > 0);
  const filtered = useTraffic((state) => isFiltered(state.filter));
  const cleared = useTraffic((state) => state.cleared > 0);
  if (filtered && known) return <NothingFits />;
  return cleared ? <NothingSinceCleared /> : <NothingYet />;
}

function noteOf(listed: number, kept: number): string | undefined {
  if (kept === 0) return undefined;
  const all = pluralize(kept, 'exchange');
  return listed >= kept ? all : `${listed.toLocaleString('en')} of ${all}`;
}

/** The exchanges, and what narrows them down. */
export function TrafficList(props: TrafficListProps) {
  const history = usePage((state) => state.history);
  const kept = usePage((state) => state.totals?.exchanges ?? 0);
  const pinned = useTraffic((state) => state.pinned.length);
  const { rows, fresh } = useRows();
  const listed = rows.size + pinned;
  const whole = history !== null && history.next === null;
  return (
    <section className={classes.list} aria-label="Traffic">
      <ListHead note={noteOf(listed, kept)} isEmpty={listed === 0} onOpen={props.onOpen} />
      <FilterBar />
      <SelectionBar />
      <div className={classes.rows} style={{ '--head-rows': headRowsOf(pinned) } as CSSProperties}>
        <FreshChip count={fresh} />
        {listed === 0 && whole ? (
          <Nothing />
        ) : (
          <TrafficTable {...props} rows={rows} onEnd={onEnd} end={END} />
        )}
      </div>
    </section>
  );
}
