import { timeOfDay } from '../connection/clock.ts';
import type { PlacedMessage } from './layout.ts';
import { messageInWords } from './message.ts';
import { MessageDrawing } from './MessageDrawing.tsx';
import classes from './Sequence.module.css';

interface MessageMarkProps {
  readonly placed: PlacedMessage;
  readonly selected: boolean;
  /** Whether Tab reaches it: one message of the list does, the arrow keys reach the others. */
  readonly reachable: boolean;
  readonly onSelect: () => void;
}

/** One message, to be selected. */
export function MessageMark({ placed, selected, reachable, onSelect }: MessageMarkProps) {
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
