// GET and POST /logout (OpenID Connect RP-Initiated Logout 1.0): ends the sign-in session, and redirects to a
// registered URI or shows a page.

import { OAuthError } from '../../core/checks/errors.ts';
import { evaluationOf } from '../pending-exchange.ts';
import { asRequest, readFields, readCookies } from '../browser-request.ts';
import { page, redirect, refusePage } from '../html.ts';
import type { EndpointHandler } from '../route.ts';
import { html } from 'hono/html';
import { framed } from '../pages/layout.ts';

/** @param signed_out `sub` of the user who was signed in; null without a session */
function signedOutPage(signed_out: string | null, nonce: string): Promise<string> {
  const content =
    signed_out === null
      ? html`<h1>No user was signed in</h1>
          <p>This browser had no session.</p>`
      : html`<h1>Signed out</h1>
          <p>
            The session of <code>${signed_out}</code> in this browser has ended. Tokens of apps
            remain valid until they expire or are revoked.
          </p>`;
  return framed({ title: 'Signed out', nonce }, content);
}

export const logout: EndpointHandler = async (pending, headers, query, service) => {
  const evaluation = evaluationOf(pending);
  const { visitor, dropSession } = readCookies(headers, service);
  try {
    const fields = readFields(pending, headers, query, evaluation);
    const request = asRequest(fields);
    const { userAuthorization } = service;
    const { redirect_to, signed_out } = await userAuthorization.logout(
      request,
      visitor,
      evaluation,
    );
    if (redirect_to !== null) return redirect(pending, redirect_to, null, dropSession());
    const make = (nonce: string) => signedOutPage(signed_out, nonce);
    return await page({ service, make, headers: dropSession() });
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    return refusePage(pending, error, service);
  }
};
