// The page at the server's own address: issuer, endpoints, and where the workbench is.

import { html } from 'hono/html';
import { framed } from './layout.ts';

export interface LandingFacts {
  readonly issuer: string;
  readonly endpoints: readonly (readonly [label: string, address: string])[];
  /** Where the workbench is, without its token; null when there is none. */
  readonly workbench: string | null;
  readonly version: string;
  readonly nonce: string;
}

export function landingPage(facts: LandingFacts): Promise<string> {
  const { issuer, endpoints, version, nonce } = facts;
  const workbench =
    facts.workbench === null
      ? 'The workbench is the Grantbench window, if it is open.'
      : html`The workbench is at <a href="${facts.workbench}">${facts.workbench}</a>; open it with
          the URL that was printed at start, which contains the access token.`;
  const rows = endpoints.map(
    ([label, address]) =>
      html`<dt>${label}</dt>
        <dd><code>${address}</code></dd>`,
  );
  const content = html`<h1>Grantbench ${version}</h1>
    <p>
      A sandbox authorization server. The <code>Grantbench-Exchange</code> header of a response is
      the number of its trace in the workbench.
    </p>
    <dl>
      <dt>Issuer</dt>
      <dd><code>${issuer}</code></dd>
      ${rows}
      <dt>Workbench</dt>
      <dd>${workbench}</dd>
    </dl>`;
  return framed({ title: 'Sandbox', nonce }, content);
}
