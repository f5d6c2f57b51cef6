import { useEffect, useMemo, type KeyboardEvent, type ReactNode } from 'react';
import { withLocalTimes } from '../connection/clock.ts';
import { LaneHeads } from './LaneHeads.tsx';
import { laneHeads, placeMessages, type Lanes } from './layout.ts';
import type { Message } from './message.ts';
import { MessageMark } from './MessageMark.tsx';
import classes from './Sequence.module.css';
import { useDiagramSize } from './use-diagram-size.ts';

const LEAST_WIDTH = 340;

/** What stands below the last message. */
export interface Tail {
  readonly height: number;
  readonly draw: (top: number, lanes: Lanes) => ReactNode;
}

interface SequenceDiagramProps {
  /** What the messages are, for who does not see them. */
  readonly label: string;
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly selected: number | null;
  readonly tail?: Tail | null;
  readonly onSelect: (id: number) => void;
  /** It is to be read: clicked, or Enter pressed on it. */
  readonly onOpen?: (id: number) => void;
}

/** On screen moments read in the person's time zone; a report keeps UTC. */
const inLocalTime = (message: Message): Message => ({
  ...message,
  notes: message.notes.map((note) => ({ ...note, text: withLocalTimes(note.text) })),
});

const STEPS_BY_KEY: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
};

const markOf = (id: number) => document.getElementById(`message-${id}`);

/** Messages between lanes, drawn top down, each to be selected. */
export function SequenceDiagram(props: SequenceDiagramProps) {
  const { label, messages, selected, tail = null, onSelect, onOpen } = props;
  const { ref, width, measure } = useDiagramSize();
  const lanes = useMemo(() => laneHeads(Math.max(width, LEAST_WIDTH), measure), [width, measure]);
  const { placed, end } = useMemo(
    () => placeMessages(messages.map(inLocalTime), lanes, measure),
    [messages, lanes, measure],
  );
  useEffect(() => {
    if (selected !== null) markOf(selected)?.scrollIntoView({ block: 'nearest' });
  }, [selected, placed]);

  const last = messages.length - 1;
  const at = messages.findIndex(({ id }) => id === selected);
  const reachable = messages[at === -1 ? last : at]?.id;
  const open = (id: number) => {
    onSelect(id);
    onOpen?.(id);
  };
  const move = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ' ') && reachable !== undefined) {
      event.preventDefault();
      open(reachable);
      return;
    }
    const go = STEPS_BY_KEY[event.key];
    const id = go && messages[go(at === -1 ? last : at, last)]?.id;
    if (id === undefined) return;
    event.preventDefault();
    onSelect(id);
    markOf(id)?.focus();
  };
  const height = end + (tail?.height ?? 0);
  return (
    <div className={classes.scroll}>
      <div ref={ref} className={classes.sheet}>
        <LaneHeads lanes={lanes} />
        <svg className={classes.messages} role="presentation" width={lanes.width} height={height}>
          <path className={classes.lanes} d={lanes.xs.map((x) => `M${x} 0V${height}`).join('')} />
          {tail?.draw(end, lanes)}
          <g role="listbox" aria-label={label} onKeyDown={move}>
            {placed.map((one) => (
              <MessageMark
                key={one.message.id}
                placed={one}
                selected={one.message.id === selected}
                reachable={one.message.id === reachable}
                onSelect={() => open(one.message.id)}
              />
            ))}
          </g>
        </svg>
      </div>
    </div>
  );
}
