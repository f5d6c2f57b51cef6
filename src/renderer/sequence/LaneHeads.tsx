import classes from './Sequence.module.css';
import { HEAD, type Lanes } from './layout.ts';

export const HEADS_HEIGHT = 42;
const TOP = 6;
const BOX = 30;
const LINE = 12;

/** The names of the lanes; stays in sight while the messages scroll under it. */
export function LaneHeads({ lanes }: { readonly lanes: Lanes }) {
  return (
    <svg className={classes.heads} width={lanes.width} height={HEADS_HEIGHT} aria-hidden="true">
      {lanes.xs.map((x, lane) => {
        const lines = lanes.names[lane] ?? [];
        const small = lines.length > 1;
        const first = TOP + BOX / 2 + (small ? -2 : HEAD.size / 3);
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
                data-small={small || undefined}
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
