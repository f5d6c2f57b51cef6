// Text with links to another view, to a rule or to a published standard, and instants that show UTC on demand. In a
// standalone document, such as a report, all of this stays plain text.

import { createContext, use, type MouseEvent, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { momentInZones, splitAtInstants, withLocalTimes } from '../connection/clock.ts';
import { linkTo } from '../navigation/route.ts';
import type { View } from '../navigation/views.ts';
import { addressOf, citedPieces, placeOf, type Citation, type RuleReference } from './citations.ts';
import { lazyPart } from './lazy-part.tsx';
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

interface OpenRule {
  /** null until a rule is opened. The last one stays while the dialog closes. */
  readonly rule: RuleReference | null;
  readonly opened: boolean;
  /** Gets the focus back. The dialog cannot do this, since it is not loaded yet when the first rule is opened. */
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

/** Contains the text of every rule; loaded when the first rule is opened. */
const RuleDialog = lazyPart(async () => (await import('./RuleDialog.tsx')).RuleDialog);

/** Shows the dialog of the open rule; rendered once, in App. */
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
