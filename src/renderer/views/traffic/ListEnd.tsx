import { Button } from '@mantine/core';
import { MAX_EXCHANGES, oldestNumber } from '../../connection/exchange-window.ts';
import { usePage } from '../../connection/state.ts';
import { loadOlder, showCleared } from './traffic-actions.ts';
import { useTraffic } from './traffic-store.ts';

/** Below the last row: whether older exchanges can be loaded or shown. */
export function ListEnd() {
  const history = usePage((state) => state.history);
  const full = usePage((state) => state.exchanges.size >= MAX_EXCHANGES);
  const oldest = usePage((state) => oldestNumber(state.exchanges));
  const cleared = useTraffic((state) => state.cleared);
  if (cleared >= oldest && cleared > 0) {
    return (
      <>
        Exchanges up to #{cleared} are cleared from view.
        <Button onClick={showCleared}>Show them</Button>
      </>
    );
  }
  if (history === null) return 'Loading older exchanges…';
  if (history.next !== null) {
    return <Button onClick={() => void loadOlder()}>Load older exchanges</Button>;
  }
  return full ? `The page lists the newest ${MAX_EXCHANGES.toLocaleString('en')}.` : 'End of list.';
}
