import { Fragment } from 'react';

interface FactsProps {
  /** Name and value, in the order shown. */
  readonly facts: readonly (readonly [string, string])[];
}

export const Facts = ({ facts }: FactsProps) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
