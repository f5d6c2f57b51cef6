// Authorization responses that are delivered by a page instead of a redirect.

import { html } from 'hono/html';
import type { MessageMode, SentParameters } from '../../core/authorization/response.ts';
import { framed } from './layout.ts';

export interface FormPostFacts {
  readonly redirect_uri: string;
  readonly parameters: SentParameters;
  readonly nonce: string;
}

/**
 * The response in response_mode form_post (OAuth 2.0 Form Post Response Mode 2): a form that a script submits, with a
 * button for browsers without scripts.
 */
export function formPostPage({ redirect_uri, parameters, nonce }: FormPostFacts): Promise<string> {
  const content = html`<h1>Back to the app</h1>
    <p>Sending the response to <code>${redirect_uri}</code>.</p>
    <form method="post" action="${redirect_uri}">
      ${parameters.map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="button main">Continue</button>
    </form>
    <script nonce="${nonce}">
      document.forms[0].submit();
    </script>`;
  return framed({ title: 'Back to the app', nonce }, content);
}

export interface PostMessageFacts {
  readonly response_mode: MessageMode;
  /** The origin of the redirect URI. */
  readonly origin: string;
  readonly parameters: SentParameters;
  readonly nonce: string;
}

/** The message in the form that auth0-spa-js or okta-auth-js reads. */
const messageOf = {
  web_message: (response: object) => ({ type: 'authorization_response', response }),
  okta_post_message: (response: object) => response,
} satisfies Record<MessageMode, (response: object) => unknown>;

/**
 * The response in response_mode web_message (draft-sakimura-oauth-wmrm-01) and okta_post_message: a page that posts
 * it to the window that embeds or opened it. The browser only delivers the message to the origin of the redirect URI.
 * The script is constant: it reads the message from attributes, which are escaped like any other text.
 */
export function postMessagePage({
  response_mode,
  origin,
  parameters,
  nonce,
}: PostMessageFacts): Promise<string> {
  const message = JSON.stringify(messageOf[response_mode](Object.fromEntries(parameters)));
  const content = html`<h1>Back to the app</h1>
    <p>
      The response was posted to the page of <code>${origin}</code> that opened this page. If you
      can read this, that page did not accept it.
    </p>
    <script nonce="${nonce}" data-origin="${origin}" data-message="${message}">
      const { origin, message } = document.currentScript.dataset;
      const receiver = window.parent === window ? window.opener : window.parent;
      receiver?.postMessage(JSON.parse(message), origin);
    </script>`;
  return framed({ title: 'Back to the app', nonce }, content);
}
