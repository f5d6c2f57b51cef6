import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useState } from 'react';
import { timeOfDay, withLocalTimes } from '../connection/clock.ts';
import { createMeasure, LaneHeads, MessageDrawing } from './drawing.tsx';
import {
  laneHeads,
  type Lanes,
  type Measure,
  type PlacedMessage,
  placeMessages,
} from './layout.ts';
import { type Message, messageInWords } from './message.ts';
import classes from './Sequence.module.css';
import { useElementSize } from '@mantine/hooks';

const LEAST_WIDTH = 340;

/** What is drawn below the last message. */
export interface Tail {
  readonly height: number;
  readonly draw: (top: number, lanes: Lanes) => ReactNode;
}

interface SequenceDiagramProps {
  /** The accessible name of the list of messages. */
  readonly label: string;
  /** Oldest first. */
  readonly messages: readonly Message[];
  readonly selected: number | null;
  readonly tail?: Tail | null;
  readonly onSelect: (id: number) => void;
  /** Called when the user clicks a message or presses Enter on it. */
  readonly onOpen?: (id: number) => void;
}

/** Converts times to the local time zone for the screen. A report keeps UTC. */
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

interface MessageMarkProps {
  readonly placed: PlacedMessage;
  readonly selected: boolean;
  /** Whether Tab reaches it. Tab reaches one message of the list, and the arrow keys the others. */
  readonly reachable: boolean;
  readonly onSelect: () => void;
}

function MessageMark({ placed, selected, reachable, onSelect }: MessageMarkProps) {
  const { message, ground } = placed;
  const clock = timeOfDay(Date.parse(message.at));
  return (
    <g
      role="option"
      id={`message-${message.id}`}
      className={classes.message}
      aria-selected={selected}
      aria-label={messageInWords(message, clock)}
      tabIndex={reachable ? 0 : -1}
      onClick={onSelect}
    >
      <rect className={classes.ground} {...ground} rx={8} />
      <MessageDrawing placed={placed} clock={clock} />
    </g>
  );
}

/** The available width, and a text measure that is renewed when the fonts have loaded. */
function useDiagramSize() {
  const { ref, width } = useElementSize();
  const [measure, setMeasure] = useState<Measure>(createMeasure);
  useEffect(() => void document.fonts.ready.then(() => setMeasure(createMeasure)), []);
  return { ref, width, measure };
}
