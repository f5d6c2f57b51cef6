import { timeOfDay } from '../../../connection/clock.ts';
import { Arrow } from './Arrow.tsx';
import { messageInWords } from './message.ts';
import type { Box, PlacedMessage } from './layout.ts';
import classes from './Sequence.module.css';

interface MessageMarkProps {
  readonly placed: PlacedMessage;
  readonly selected: boolean;
  /** Whether Tab reaches it: one message of the list does, the arrow keys reach the others. */
  readonly reachable: boolean;
  readonly onSelect: () => void;
}

const rect = ({ x, y, width, height }: Box) => ({ x, y, width, height });

/** One message: request and answer between two lanes, and what there is to say about it. */
export function MessageMark({ placed, selected, reachable, onSelect }: MessageMarkProps) {
  const { message, ground, box, time, texts, arrows } = placed;
  const clock = timeOfDay(Date.parse(message.at));
  return (
    <g
      role="option"
      id={`flow-message-${message.id}`}
      className={classes.message}
      aria-selected={selected}
      aria-label={messageInWords(message, clock)}
      tabIndex={reachable ? 0 : -1}
      data-tone={message.tone}
      onClick={onSelect}
    >
      <rect className={classes.ground} {...rect(ground)} rx={8} />
      {box !== null && <rect className={classes.veil} {...rect(box)} rx={8} />}
      {box !== null && <rect className={classes.box} {...rect(box)} rx={8} />}
      <text className={classes.time} x={time.x} y={time.y}>
        {clock}
      </text>
      {arrows.map((arrow) => (
        <Arrow key={arrow.y} {...arrow} />
      ))}
      {texts.map(({ x, y, text, tone, style }) => (
        <text
          key={y}
          className={classes.text}
          data-tone={tone}
          x={x}
          y={y}
          fontSize={style.size}
          fontWeight={style.weight}
        >
          {text}
        </text>
      ))}
    </g>
  );
}
