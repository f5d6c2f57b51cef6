import { Arrow } from './Arrow.tsx';
import type { PlacedMessage } from './layout.ts';
import classes from './Sequence.module.css';

interface MessageDrawingProps {
  readonly placed: PlacedMessage;
  /** Its moment, as it is written beside it. */
  readonly clock: string;
}

/** One message: request and answer between two lanes, and what there is to say about it. */
export function MessageDrawing({ placed, clock }: MessageDrawingProps) {
  const { message, box, time, texts, arrows } = placed;
  return (
    <g className={classes.drawing} data-tone={message.tone}>
      {box !== null && <rect className={classes.veil} {...box} rx={8} />}
      {box !== null && <rect className={classes.box} {...box} rx={8} />}
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
