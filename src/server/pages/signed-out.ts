// The page after a logout that does not return to an app.

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
      ? html`<h1>No user was signed in</h1>
          <p>This browser had no session.</p>`
      : html`<h1>Signed out</h1>
          <p>
            The session of <code>${signed_out}</code> in this browser has ended. Tokens of apps stay
            valid until they expire or are revoked.
          </p>`;
  return framed({ title: 'Signed out', nonce }, content);
}
