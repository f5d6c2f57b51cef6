import type { MouseEvent } from 'react';
import { hrefOf, navigate } from '../../route.ts';
import classes from './Tokens.module.css';

/** The exchange under this number, where it is explained. */
export function ExchangeLink({ number }: { readonly number: number }) {
  const go = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void navigate('traffic', String(number));
  };
  return (
    <a className={classes.link} href={hrefOf('traffic', String(number))} onClick={go}>
      <span className="visually-hidden">exchange </span>#{number}
    </a>
  );
}
