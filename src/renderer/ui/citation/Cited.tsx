import { useContext } from 'react';
import { StandsAlone } from '../stands-alone.ts';
import { citedPieces, placeOf, rfcAddress, type Citation } from './citations.ts';
import classes from './Citation.module.css';
import { showRule } from './rule-store.ts';

/** The window hands no address to the system, so RFCs are links in a browser tab only. */
const isInBrowser = () => window.grantbench === undefined;

function Reference({ text, cites }: { readonly text: string; readonly cites: Citation }) {
  const standsAlone = useContext(StandsAlone);
  if (!('rfc' in cites)) {
    if (standsAlone) return <abbr title={placeOf(cites)}>{text}</abbr>;
    return (
      <button type="button" className={classes.link} onClick={() => showRule(cites)}>
        {text}
      </button>
    );
  }
  if (standsAlone || !isInBrowser()) return text;
  return (
    <a className={classes.link} href={rfcAddress(cites)} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** A text in which every rule that it cites can be opened. */
export function Cited({ text }: { readonly text: string }) {
  return citedPieces(text).map((piece, index) =>
    piece.cites === null ? (
      piece.text
    ) : (
      <Reference key={index} text={piece.text} cites={piece.cites} />
    ),
  );
}
