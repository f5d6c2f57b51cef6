// Text with links to another view, to a rule or to a published standard, and instants that show UTC on demand. In a
// standalone document, such as a report, all of this stays plain text.

import { createContext, use, type MouseEvent, type ReactNode } from 'react';
import { momentInZones, splitAtInstants, withLocalTimes } from '../connection/clock.ts';
import { linkTo, type View } from '../navigation/route.ts';
import { addressOf, citedPieces, placeOf, type Citation, type RuleReference } from './citations.ts';
import { lazyPart } from './lazy-part.tsx';
import { createOverlay } from './overlay.ts';
import classes from './links.module.css';

export const StandsAlone = createContext(false);

interface ViewLinkProps {
  readonly view: View;
  readonly item?: string;
  readonly children: ReactNode;
}

/** Links to another view. The guard of the current view is asked first. */
export function ViewLink({ view, item, children }: ViewLinkProps) {
  if (use(StandsAlone)) return children;
  const link = linkTo(view, item);
  const go = (event: MouseEvent) => {
    event.stopPropagation();
    link.onClick(event);
  };
  return (
    <a className={classes.viewLink} href={link.href} onClick={go}>
      {children}
    </a>
  );
}

/** Shows the instants in a text in local time, with UTC on demand; a standalone document keeps UTC. */
export function Timed({ text }: { readonly text: string }) {
  if (use(StandsAlone)) return text;
  return splitAtInstants(text).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      <time key={index} dateTime={piece} title={momentInZones(Date.parse(piece))}>
        {withLocalTimes(piece)}
      </time>
    ),
  );
}

/** Whether the page can open published standards: a browser tab can, the window cannot. */
export const opensAddresses = (): boolean => window.grantbench === undefined;

function Reference({ text, cites }: { readonly text: string; readonly cites: Citation }) {
  const standsAlone = use(StandsAlone);
  if (!('standard' in cites)) {
    if (standsAlone) return <abbr title={placeOf(cites)}>{text}</abbr>;
    return (
      <button type="button" className={classes.citation} onClick={() => openRule.open(cites)}>
        {text}
      </button>
    );
  }
  if (standsAlone || !opensAddresses()) return text;
  return (
    <a className={classes.citation} href={addressOf(cites)} target="_blank" rel="noreferrer">
      {text}
    </a>
  );
}

/** A text whose citations are links to a rule or to a published standard. */
export function Cited({ text }: { readonly text: string }) {
  return citedPieces(text).map((piece, index) =>
    piece.cites === null ? (
      piece.text
    ) : (
      <Reference key={index} text={piece.text} cites={piece.cites} />
    ),
  );
}

/** Returns the focus itself: the dialog is not loaded yet when the first rule is opened. */
const openRule = createOverlay<RuleReference>();

/** Contains the text of every rule; loaded when the first rule is opened. */
const RuleDialog = lazyPart(async () => (await import('./RuleDialog.tsx')).RuleDialog);

/** Shows the dialog of the open rule; rendered once, in Commands. */
export function RuleHost() {
  const { content: rule, opened } = openRule.useShown();
  if (rule === null) return null;
  return (
    <RuleDialog
      rule={rule}
      opened={opened}
      links={opensAddresses()}
      onRule={openRule.open}
      onClose={openRule.close}
    />
  );
}
