import classes from './Inspector.module.css';
import { LongText } from './LongText.tsx';

const NAMES = ['header', 'payload', 'signature'] as const;

/** The token as it travels, its three parts in three colours; the legend says which is which. */
export function Encoded({ parts }: { readonly parts: readonly string[] }) {
  return (
    <section className={classes.part} data-part="whole" aria-label="Encoded">
      <h3>Encoded</h3>
      <p className={classes.legend} aria-hidden="true">
        {NAMES.map((name) => (
          <span key={name} data-part={name}>
            {name}
          </span>
        ))}
      </p>
      <p className={`${classes.encoded} ${classes.parts}`}>
        {NAMES.map((name, index) => (
          <span key={name}>
            {index > 0 && '.'}
            <span data-part={name}>
              <LongText text={parts[index] ?? ''} label={`encoded ${name}`} />
            </span>
          </span>
        ))}
      </p>
    </section>
  );
}
