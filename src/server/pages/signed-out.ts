// Where a logout ends that returns to no app.

import { html } from 'hono/html';
import { framed } from './layout.ts';

export interface SignedOutFacts {
  /** `sub` of the user who was signed in; null when nobody was. */
  readonly signed_out: string | null;
  readonly nonce: string;
}

export function signedOutPage({ signed_out, nonce }: SignedOutFacts): Promise<string> {
  const content =
    signed_out === null
      ? html`<h1>Nobody was signed in</h1>
          <p>There was no session at this browser to end.</p>`
      : html`<h1>Signed out</h1>
          <p>
            The session of <code>${signed_out}</code> at this browser has ended. Tokens that apps
            hold live on until they expire or are revoked.
          </p>`;
  return framed({ title: 'Signed out', nonce }, content);
}
