import classes from './Throttling.module.css';

interface UsageBarProps {
  readonly used: number;
  readonly limit: number;
}

/** Requests counted in the open window against the limit. */
export function UsageBar({ used, limit }: UsageBarProps) {
  const share = Math.min(1, used / limit);
  const full = used >= limit;
  const words = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')}`;
  return (
    <div className={classes.usage} data-level={full ? 'full' : share > 0.8 ? 'near' : 'low'}>
      <div
        role="meter"
        aria-label="Used"
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${words}${full ? ', full' : ''}`}
      >
        <span style={{ width: `${share * 100}%` }} />
      </div>
      <span className={classes.count} aria-hidden="true">
        {words}
      </span>
    </div>
  );
}
