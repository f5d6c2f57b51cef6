import {
  type Lanes,
  type Measure,
  type PlacedArrow,
  type PlacedMessage,
  STRONG,
  type TextStyle,
} from './layout.ts';
import classes from './Sequence.module.css';

interface MessageDrawingProps {
  readonly placed: PlacedMessage;
  /** The time shown beside the message. */
  readonly clock: string;
}

/** One message: request and response between two lanes, with notes. */
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

const TIP = 6;
const HALF = 4;

/** An arrow with an open tip. It is drawn without markers, which do not take the colour of the line in every browser. */
export function Arrow({ from, to, y, tone, dashed }: PlacedArrow) {
  const away = Math.sign(to - from);
  const end = to - away;
  return (
    <g className={classes.arrow} data-tone={tone}>
      <path d={`M${from} ${y}H${end}`} data-dashed={dashed || undefined} />
      <path d={`M${end - away * TIP} ${y - HALF}L${end} ${y}L${end - away * TIP} ${y + HALF}`} />
    </g>
  );
}

export const HEADS_HEIGHT = 42;
const TOP = 6;
const BOX = 30;
const LINE = 12;

/** The names of the lanes, which stay visible while the messages scroll. */
export function LaneHeads({ lanes }: { readonly lanes: Lanes }) {
  return (
    <svg className={classes.heads} width={lanes.width} height={HEADS_HEIGHT} aria-hidden="true">
      {lanes.xs.map((x, lane) => {
        const lines = lanes.names[lane] ?? [];
        const first = TOP + BOX / 2 + (lines.length > 1 ? -2 : STRONG.size / 3);
        return (
          <g key={x}>
            <rect
              className={classes.head}
              x={x - lanes.box_width / 2}
              y={TOP}
              width={lanes.box_width}
              height={BOX}
              rx={6}
            />
            {lines.map((line, index) => (
              <text
                key={line}
                className={classes.headText}
                data-small={lanes.small || undefined}
                x={x}
                y={first + index * LINE}
              >
                {line}
              </text>
            ))}
          </g>
        );
      })}
    </svg>
  );
}

const MOST_CACHED = 5000;

function fontOf({ size, weight }: TextStyle): string {
  const family = getComputedStyle(document.documentElement).getPropertyValue('--font');
  return `${weight} ${size}px ${family}`;
}

/** Measures text in the current fonts. Create a new measure when fonts have loaded. */
export function createMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const cache = new Map<string, number>();
  return (text, style) => {
    const key = `${style.size} ${style.weight} ${text}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    if (context === null) return text.length * style.size;
    context.font = fontOf(style);
    const { width } = context.measureText(text);
    if (cache.size >= MOST_CACHED) cache.clear();
    cache.set(key, width);
    return width;
  };
}
