import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { Deviation, Exchange } from '../../control/schemas.ts';
import { Cited } from '../ui/links.tsx';
import classes from './Why.module.css';

const strictAnswer = ({ strict_status, strict_error }: Deviation): string =>
  strict_status === null
    ? 'also noted in strict'
    : `strict: ${strict_status} ${strict_error ?? ''}`.trim();

/** Deviations and advice; neither changed the response. Advice is for apps: Grantbench means what it sends. */
export function Notes({ exchange }: { readonly exchange: Exchange }) {
  const { deviation_notes: deviations, advisory_notes: advisories, sent_by } = exchange;
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
          <span>
            {sent_by !== 'app' && 'Sent on purpose. From an app it would be advised against: '}
            {advisory.text}
          </span>
          <small>
            <Cited text={advisory.section} />
          </small>
        </li>
      ))}
    </ul>
  );
}
