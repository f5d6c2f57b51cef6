import classes from './Inspector.module.css';
import type { ReadPart } from '../../oauth/jwt.ts';
import { LongText } from './LongText.tsx';
import { PartProblems } from './PartProblems.tsx';

interface BrokenPartProps {
  readonly title: string;
  readonly part: 'header' | 'payload';
  readonly read: ReadPart;
}

/** A part that is no JSON object: why not, and whatever can be shown of it. */
export function BrokenPart({ title, part, read }: BrokenPartProps) {
  const { text, decoded, problems } = read;
  return (
    <section className={classes.part} data-part={part} aria-label={title}>
      <h3>{title}</h3>
      <PartProblems problems={problems} />
      {text !== '' && (
        <p className={classes.encoded}>
          <LongText text={decoded ?? text} label={title.toLowerCase()} />
        </p>
      )}
    </section>
  );
}
