// The list of exchanges with filter, selection and export, some of them as a sequence, and the details of one. The
// exchanges come from connection/; the panel of an exchange is in ../../exchange.

import { useElementSize, useHotkeys } from '@mantine/hooks';
import { useCallback, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { ViewProps } from '../../navigation/route.ts';
import { focusGrid } from './TrafficRow.tsx';
import { readNumber } from './number-ranges.ts';
import { SequencePane } from './SequencePane.tsx';
import { askFor, closeExchange, openExchange, togglePause } from './traffic-actions.ts';
import { following } from './traffic-state.ts';
import { changeTraffic, useTraffic } from './traffic-store.ts';
import classes from './Traffic.module.css';
import { TrafficDetail } from './TrafficDetail.tsx';
import { TrafficList } from './TrafficList.tsx';

/** If the view is narrower than this, the open exchange covers the list. */
const ROOM_FOR_BOTH = 680;

/** Returns the focus to the list when the exchange is closed. */
function useReturnedFocus(open: number | null): void {
  const before = useRef(open);
  useEffect(() => {
    const left = before.current;
    before.current = open;
    if (left !== null && open === null) focusGrid();
  }, [open]);
}

function useViewKeys(): void {
  useHotkeys([
    ['/', () => askFor('filter')],
    ['shift+/', () => askFor('filter')],
    ['P', togglePause],
  ]);
}

/** Every request to the service as it happens, and the reason for each response. */
export function TrafficView({ item }: ViewProps) {
  const { ref, width } = useElementSize();
  const region = useRef<HTMLElement>(null);
  const layout = useDefaultLayout({ id: 'grantbench.traffic', storage: localStorage });
  const open = item === null ? null : readNumber(item);
  const isOpen = open !== null;
  const covered = isOpen && width > 0 && width < ROOM_FOR_BOTH;
  const asked = useTraffic((state) => state.asked !== null);
  const sequence = useTraffic((state) => state.sequence);
  const onOpen = useCallback((number: number) => void openExchange(number, isOpen), [isOpen]);
  const onClose = useCallback(() => void closeExchange(), []);
  const onEnter = () => {
    const tab = region.current?.querySelector<HTMLElement>('[role="tab"][tabindex="0"]');
    (tab ?? region.current?.querySelector('button'))?.focus();
  };
  useViewKeys();
  useReturnedFocus(open);
  useEffect(() => changeTraffic((state) => (state.paused ? state : following(state))), []);
  useEffect(() => {
    if (asked && covered) onClose();
  }, [asked, covered, onClose]);

  const detail = isOpen && <TrafficDetail number={open} onClose={onClose} region={region} />;
  return (
    <div ref={ref} className={classes.view}>
      <Group id="traffic" className={covered ? classes.covered : undefined} {...layout}>
        <Panel id="list" minSize="320px" className={classes.panel}>
          {sequence === null ? (
            <TrafficList open={open} onOpen={onOpen} onEnter={onEnter} onClose={onClose} />
          ) : (
            <SequencePane sequence={sequence} open={open} onOpen={onOpen} />
          )}
        </Panel>
        {isOpen && !covered && (
          <>
            <Separator className={classes.separator} aria-label="Size of the exchange" />
            <Panel id="detail" defaultSize="42%" minSize="320px" className={classes.panel}>
              {detail}
            </Panel>
          </>
        )}
      </Group>
      {covered && <div className={classes.cover}>{detail}</div>}
    </div>
  );
}
