import type { Exchange } from '../../control/schemas.ts';
import { durationWords } from '../connection/clock.ts';
import { milliseconds } from '../ui/short-forms.ts';
import classes from '../ui/facts.module.css';

function offsetInWords({ offset_seconds, frozen }: Exchange['clock']): string {
  if (Math.abs(offset_seconds) < 1)
    return frozen ? 'stood at the machine’s time' : 'the machine’s time';
  const side = offset_seconds > 0 ? 'ahead of' : 'behind';
  return `${durationWords(offset_seconds)} ${side} the machine`;
}

/** What the sandbox clock said when the request was judged. */
export function ClockTab({ exchange }: { readonly exchange: Exchange }) {
  const { at, clock, duration_ms } = exchange;
  return (
    <dl className={classes.facts}>
      <dt>Arrived</dt>
      <dd className="mono">{at}</dd>
      <dt>Judged at</dt>
      <dd className="mono">{clock.now}</dd>
      <dt>Clock</dt>
      <dd>{clock.frozen ? 'frozen' : 'running'}</dd>
      <dt>Offset</dt>
      <dd>{offsetInWords(clock)}</dd>
      <dt>Duration</dt>
      <dd>{milliseconds(duration_ms)} by the stopwatch, which no setting of the clock moves</dd>
    </dl>
  );
}
