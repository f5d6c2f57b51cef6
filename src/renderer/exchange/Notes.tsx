import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { Advisory, Deviation } from '../../control/schemas.ts';
import { durationInWords } from '../../oauth/moments.ts';
import { Cited } from '../ui/citation/Cited.tsx';
import classes from './Why.module.css';

const strictAnswer = ({ strict_status, strict_error }: Deviation): string =>
  strict_status === null
    ? 'also noted in strict'
    : `strict: ${strict_status} ${strict_error ?? ''}`.trim();

/** Deviations and advice; neither changed the response. */
export function Notes({
  deviations,
  advisories,
}: {
  readonly deviations: readonly Deviation[];
  readonly advisories: readonly Advisory[];
}) {
  if (deviations.length === 0 && advisories.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label="Notes">
      {deviations.map((deviation) => (
        <li key={deviation.id}>
          <IconAlertTriangle className={classes.warn} aria-label="Deviation" />
          <span>{deviation.text}</span>
          <small>
            {strictAnswer(deviation)} · <Cited text={deviation.section} />
          </small>
        </li>
      ))}
      {advisories.map((advisory) => (
        <li key={advisory.kind}>
          <IconInfoCircle className={classes.info} aria-label="Advice" />
          <span>{advisory.text}</span>
          <small>
            {durationInWords(advisory.seconds_left)} of life left ·{' '}
            <Cited text={advisory.section} />
          </small>
        </li>
      ))}
    </ul>
  );
}
