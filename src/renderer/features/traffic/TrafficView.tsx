import { useHotkeys, useElementSize } from '@mantine/hooks';
import { useCallback, useEffect, useRef } from 'react';
import { Group, Panel, Separator, useDefaultLayout } from 'react-resizable-panels';
import type { ViewProps } from '../../route.ts';
import { readNumber } from './number-ranges.ts';
import { askFor, closeExchange, openExchange, togglePause } from './traffic-actions.ts';
import { following } from './traffic-state.ts';
import { changeTraffic } from './traffic-store.ts';
import { TrafficDetail } from './TrafficDetail.tsx';
import { TrafficList } from './TrafficList.tsx';
import classes from './Traffic.module.css';

/** Less room than this is for one of list and detail at a time. */
const ROOM_FOR_BOTH = 680;

/** Everything the service was asked, as it happens, and what is behind each answer. */
export function TrafficView({ item }: ViewProps) {
  const { ref, width } = useElementSize();
  const region = useRef<HTMLElement>(null);
  const layout = useDefaultLayout({ id: 'grantbench.traffic', storage: localStorage });
  const open = item === null ? null : readNumber(item);
  const isOpen = open !== null;
  const onOpen = useCallback((number: number) => void openExchange(number, isOpen), [isOpen]);
  const onEnter = () =>
    region.current?.querySelector<HTMLElement>('[role="tab"][tabindex="0"], button')?.focus();
  const onClose = () => {
    void closeExchange();
    requestAnimationFrame(() => document.querySelector<HTMLElement>('[role="grid"]')?.focus());
  };
  useHotkeys([
    ['/', () => askFor('filter')],
    ['shift+/', () => askFor('filter')],
    ['P', togglePause],
  ]);
  useEffect(() => changeTraffic((state) => (state.paused ? state : following(state))), []);

  const list = <TrafficList open={open} onOpen={onOpen} onEnter={onEnter} onClose={onClose} />;
  const detail = isOpen && <TrafficDetail number={open} onClose={onClose} region={region} />;
  const both = width === 0 || width >= ROOM_FOR_BOTH;
  return (
    <div ref={ref} className={classes.view}>
      {isOpen && !both ? (
        detail
      ) : (
        <Group id="traffic" {...layout}>
          <Panel id="list" minSize="320px" className={classes.panel}>
            {list}
          </Panel>
          {isOpen && (
            <>
              <Separator className={classes.separator} aria-label="Size of the exchange" />
              <Panel id="detail" defaultSize="42%" minSize="320px" className={classes.panel}>
                {detail}
              </Panel>
            </>
          )}
        </Group>
      )}
    </div>
  );
}
