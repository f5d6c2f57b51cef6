import type { Exchange } from '../../control/schemas.ts';
import { durationWords, fullMoment } from '../connection/clock.ts';
import { milliseconds } from '../ui/short-forms.ts';
import classes from '../ui/facts.module.css';

function offsetInWords({ offset_seconds, frozen }: Exchange['clock']): string {
  if (Math.abs(offset_seconds) < 1)
    return frozen ? 'frozen at the machine’s time' : 'the machine’s time';
  const side = offset_seconds > 0 ? 'ahead of' : 'behind';
  return `${durationWords(offset_seconds)} ${side} the machine`;
}

/** In the person's time zone, and in UTC with milliseconds as it is recorded. */
const shown = (at: string) => `${fullMoment(Date.parse(at))} · ${at}`;

/** The sandbox clock when the request was validated. */
export function ClockTab({ exchange }: { readonly exchange: Exchange }) {
  const { at, clock, duration_ms } = exchange;
  return (
    <dl className={classes.facts}>
      <dt>Received</dt>
      <dd className="mono">{shown(at)}</dd>
      <dt>Sandbox time</dt>
      <dd className="mono">{shown(clock.now)}</dd>
      <dt>Clock</dt>
      <dd>{clock.frozen ? 'frozen' : 'running'}</dd>
      <dt>Offset</dt>
      <dd>{offsetInWords(clock)}</dd>
      <dt>Duration</dt>
      <dd>{milliseconds(duration_ms)} in real time; the sandbox clock does not affect it</dd>
    </dl>
  );
}
