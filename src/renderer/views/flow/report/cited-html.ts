// A citation in the report: a rule of ours says where it stands. The report leads nowhere, so RFCs are named
// and no links.

import { citedPieces, placeOf } from '../../../ui/citation/citations.ts';
import { html, type Html } from './html-text.ts';

/** The text, each rule that it cites with its place in the documents of Grantbench. */
export function cited(text: string): Html {
  const pieces = citedPieces(text).map(({ text: words, cites }) =>
    cites === null || 'rfc' in cites
      ? html`${words}`
      : html`<abbr title="${placeOf(cites)}">${words}</abbr>`,
  );
  return html`${pieces}`;
}
