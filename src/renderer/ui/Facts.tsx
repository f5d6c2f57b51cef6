import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string | undefined;
}

/** Names with their values, in two columns. */
export const Facts = ({ facts, className = classes.facts }: FactsProps) => (
  <dl className={className}>
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
);
