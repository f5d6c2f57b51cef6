import { lastSeconds, type Whose } from '../connection/rates.ts';
import { useReach } from '../connection/reach.ts';
import { usePage } from '../connection/state.ts';
import { useWhose } from '../ui/preferences.ts';
import classes from './TopBar.module.css';

const WIDTH = 92;
const HEIGHT = 22;
const INSET = 2;
const SECONDS = 60;

/** The points of a line through the rates, the newest at the right edge. */
export function sparkPoints(rates: readonly number[]): string {
  const top = Math.max(1, ...rates);
  const step = WIDTH / (SECONDS - 1);
  const y = (rate: number) => HEIGHT - INSET - (rate / top) * (HEIGHT - 2 * INSET);
  return rates.map((rate, index) => `${(index * step).toFixed(1)},${y(rate).toFixed(1)}`).join(' ');
}

const TITLES: Record<Whose, string> = {
  app: 'Requests of the app per second; those of Grantbench are left out',
  all: 'Requests per second, those of Grantbench included',
};

/** Requests per second over the last minute. */
export function RateSparkline() {
  const whose = useWhose();
  const live = useReach((reach) => reach.live);
  const known = usePage(({ rates }) => rates);
  if (!live || known === null) return <span className={classes.rate} />;
  // Those that are over: the running second has not had all its requests.
  const over = lastSeconds(known, SECONDS + 1).slice(0, -1);
  const rates = over.map((second) => (whose === 'app' ? second.app : second).requests);
  const now = (rates.at(-1) ?? 0).toLocaleString('en');
  return (
    <span className={classes.rate}>
      <svg
        className={classes.spark}
        width={WIDTH}
        height={HEIGHT}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="xMaxYMid slice"
        aria-hidden="true"
      >
        <polyline
          points={sparkPoints(rates)}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
        />
      </svg>
      <span className={classes.now} title={TITLES[whose]}>
        {now} req/s
      </span>
    </span>
  );
}
