import { useContext } from 'react';
import { StandsAlone } from '../stands-alone.ts';
import { addressOf, citedPieces, placeOf, type Citation } from './citations.ts';
import classes from './Citation.module.css';
import { opensAddresses } from './opens-addresses.ts';
import { showRule } from './rule-store.ts';

function Reference({ text, cites }: { readonly text: string; readonly cites: Citation }) {
  const standsAlone = useContext(StandsAlone);
  if (!('standard' in cites)) {
    if (standsAlone) return <abbr title={placeOf(cites)}>{text}</abbr>;
    return (
      <button type="button" className={classes.link} onClick={() => showRule(cites)}>
        {text}
      </button>
    );
  }
  if (standsAlone || !opensAddresses()) return text;
  return (
    <a className={classes.link} href={addressOf(cites)} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** A text in which every citation is a link: to the rule's own text, or to the published standard. */
export function Cited({ text }: { readonly text: string }) {
  return citedPieces(text).map((piece, index) =>
    piece.cites === null ? (
      piece.text
    ) : (
      <Reference key={index} text={piece.text} cites={piece.cites} />
    ),
  );
}
