import type { Exchange } from '../../control/schemas.ts';
import { momentInZones, offsetInWords } from '../connection/clock.ts';
import { milliseconds } from '../ui/short-forms.ts';
import classes from '../ui/facts.module.css';

function Moment({ ms }: { readonly ms: number }) {
  const at = new Date(ms).toISOString();
  return (
    <dd className="mono">
      <time dateTime={at} title={at}>
        {momentInZones(ms)}
      </time>
    </dd>
  );
}

/** Both clocks when the request was received (behaviour 6.4). */
export function ClockTab({ exchange }: { readonly exchange: Exchange }) {
  const { at, clock, duration_ms } = exchange;
  const offset = offsetInWords(clock.offset_seconds);
  const received = Date.parse(at);
  return (
    <dl className={classes.facts}>
      <dt>Sandbox time</dt>
      <Moment ms={received} />
      <dt>Machine time</dt>
      <Moment ms={received - clock.offset_seconds * 1000} />
      <dt>Sandbox clock</dt>
      <dd>
        {clock.frozen ? 'frozen' : 'running'}
        {offset === null ? ', at machine time' : `, ${offset} of machine time`}
      </dd>
      <dt>Duration</dt>
      <dd>{milliseconds(duration_ms)} in real time; the sandbox clock does not affect it</dd>
    </dl>
  );
}
