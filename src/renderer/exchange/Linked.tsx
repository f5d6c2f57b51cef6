import { ViewLink } from '../ui/ViewLink.tsx';
import { piecesOf } from './exchange-mentions.ts';

/** A sentence in which every exchange it names can be followed. */
export function Linked({ sentence }: { readonly sentence: string }) {
  return piecesOf(sentence).map(({ text, number }, index) =>
    number === null ? (
      text
    ) : (
      <ViewLink key={index} view="traffic" item={String(number)}>
        {text}
      </ViewLink>
    ),
  );
}
