// Words that lead somewhere: to another view, to the text of a rule, to a published standard; and moments, whose
// UTC is shown on demand. In a document that stands alone, as a report does, nothing can be followed: words stay words.

import { createContext, use, type MouseEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { momentInZones, timedPieces, withLocalTimes } from '../connection/clock.ts';
import { hrefOf, navigate, type View } from '../navigation/route.ts';
import { addressOf, citedPieces, placeOf, type Citation, type RuleReference } from './citations.ts';
import { lazyPart } from './lazy-part.tsx';
import classes from './links.module.css';

export const StandsAlone = createContext(false);

interface ViewLinkProps {
  readonly view: View;
  readonly item: string;
  readonly children: ReactNode;
}

/** Leads to something in another view, unless the view that is left has edits to keep. */
export function ViewLink({ view, item, children }: ViewLinkProps) {
  if (use(StandsAlone)) return children;
  const go = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    void navigate(view, item);
  };
  return (
    <a className={classes.viewLink} href={hrefOf(view, item)} onClick={go}>
      {children}
    </a>
  );
}

/** A text whose instants read in the person's time zone, with UTC on demand; a document keeps UTC. */
export function Timed({ text }: { readonly text: string }) {
  if (use(StandsAlone)) return text;
  return timedPieces(text).map(({ text: piece, at }, index) =>
    at === null ? (
      piece
    ) : (
      <time key={index} dateTime={piece} title={momentInZones(at)}>
        {withLocalTimes(piece)}
      </time>
    ),
  );
}

/** Whether the page can open published standards: the window opens no address, a browser tab does. */
export const opensAddresses = (): boolean => window.grantbench === undefined;

function Reference({ text, cites }: { readonly text: string; readonly cites: Citation }) {
  const standsAlone = use(StandsAlone);
  if (!('standard' in cites)) {
    if (standsAlone) return <abbr title={placeOf(cites)}>{text}</abbr>;
    return (
      <button type="button" className={classes.citation} onClick={() => showRule(cites)}>
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

interface OpenRule {
  /** null before the first; the last one stays while the dialog closes. */
  readonly rule: RuleReference | null;
  readonly opened: boolean;
  /** Gets the focus back: the dialog cannot see to that, as it is not there yet when the first rule is opened. */
  readonly citation: Element | null;
}

const openRule = createStore<OpenRule>(() => ({ rule: null, opened: false, citation: null }));

function showRule(rule: RuleReference): void {
  openRule.setState(({ opened, citation }) => ({
    rule,
    opened: true,
    citation: opened ? citation : document.activeElement,
  }));
}

function hideRule(): void {
  openRule.setState({ opened: false });
  const { citation } = openRule.getState();
  if (citation instanceof HTMLElement) citation.focus();
}

/** With the text of every rule: loaded when the first one is opened. */
const RuleDialog = lazyPart(async () => (await import('./RuleDialog.tsx')).RuleDialog);

/** Shows the rule that was asked for; stands once, in App. */
export function RuleHost() {
  const { rule, opened } = useStore(openRule);
  if (rule === null) return null;
  return (
    <RuleDialog
      rule={rule}
      opened={opened}
      links={opensAddresses()}
      onRule={showRule}
      onClose={hideRule}
    />
  );
}
