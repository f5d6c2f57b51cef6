import type { PlacedArrow } from './layout.ts';
import classes from './Sequence.module.css';

const TIP = 6;
const HALF = 4;

/** A line with an open tip, drawn by hand: markers do not follow the line's colour everywhere. */
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
