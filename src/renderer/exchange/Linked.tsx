import { Fragment } from 'react';
import { Timed, ViewLink } from '../ui/links.tsx';
import { piecesOf } from './exchange-mentions.ts';

/** A sentence in which every exchange it names can be followed, and every moment reads in local time. */
export function Linked({ sentence }: { readonly sentence: string }) {
  return piecesOf(sentence).map(({ text, number }, index) =>
    number === null ? (
      <Fragment key={index}>
        <Timed text={text} />
      </Fragment>
    ) : (
      <ViewLink key={index} view="traffic" item={String(number)}>
        {text}
      </ViewLink>
    ),
  );
}
