import type { ExplainedClaim } from './claims.ts';
import classes from './Inspector.module.css';

interface ClaimTableProps {
  readonly title: string;
  readonly part: 'header' | 'payload';
  readonly claims: readonly ExplainedClaim[];
}

/** A part of the token, name by name, with what each says. */
export function ClaimTable({ title, part, claims }: ClaimTableProps) {
  return (
    <section className={classes.part} data-part={part} aria-label={title}>
      <h3>{title}</h3>
      <dl>
        {claims.map(({ name, value, words }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className={classes.value}>{value}</dd>
            <dd className={classes.words}>{words}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
