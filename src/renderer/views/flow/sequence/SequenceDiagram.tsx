import { useEffect, useMemo, type KeyboardEvent } from 'react';
import { withLocalTimes } from '../../../connection/clock.ts';
import type { FlowEvent } from '../flow-state.ts';
import type { StepId } from '../flow-steps.ts';
import { LaneHeads } from './LaneHeads.tsx';
import { laneHeads, placeMessages } from './layout.ts';
import { messagesOf, type Message } from './message.ts';
import { MessageMark } from './MessageMark.tsx';
import { NEXT_HEIGHT, NextStep } from './NextStep.tsx';
import classes from './Sequence.module.css';
import { useDiagramSize } from './use-diagram-size.ts';

const LEAST_WIDTH = 340;

interface SequenceDiagramProps {
  readonly events: readonly FlowEvent[];
  readonly selected: number | null;
  readonly next: StepId | null;
  readonly onSelect: (id: number) => void;
  /** It is to be read: clicked, or Enter pressed on it. */
  readonly onOpen: () => void;
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

const markOf = (id: number) => document.getElementById(`flow-message-${id}`);

export function SequenceDiagram({
  events,
  selected,
  next,
  onSelect,
  onOpen,
}: SequenceDiagramProps) {
  const { ref, width, measure } = useDiagramSize();
  const lanes = useMemo(() => laneHeads(Math.max(width, LEAST_WIDTH), measure), [width, measure]);
  const { placed, end } = useMemo(
    () => placeMessages(messagesOf(events).map(inLocalTime), lanes, measure),
    [events, lanes, measure],
  );
  useEffect(() => {
    if (selected !== null) markOf(selected)?.scrollIntoView({ block: 'nearest' });
  }, [selected, placed]);

  const last = events.length - 1;
  const at = events.findIndex(({ id }) => id === selected);
  const reachable = events[at === -1 ? last : at]?.id;
  const open = (id: number) => {
    onSelect(id);
    onOpen();
  };
  const move = (event: KeyboardEvent) => {
    if ((event.key === 'Enter' || event.key === ' ') && reachable !== undefined) {
      event.preventDefault();
      open(reachable);
      return;
    }
    const go = STEPS_BY_KEY[event.key];
    const id = go && events[go(at === -1 ? last : at, last)]?.id;
    if (id === undefined) return;
    event.preventDefault();
    onSelect(id);
    markOf(id)?.focus();
  };
  const height = end + (next === null ? 0 : NEXT_HEIGHT);
  return (
    <div className={classes.scroll}>
      <div ref={ref} className={classes.sheet}>
        <LaneHeads lanes={lanes} />
        <svg className={classes.messages} width={lanes.width} height={height}>
          <path className={classes.lanes} d={lanes.xs.map((x) => `M${x} 0V${height}`).join('')} />
          {next !== null && <NextStep step={next} top={end} lanes={lanes} />}
          <g role="listbox" aria-label="Messages of this flow, oldest first" onKeyDown={move}>
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
