// The response in response_mode form_post (OAuth 2.0 Form Post Response Mode 2): a form that submits
// itself where scripts run, and has a button where they do not.

import { html } from 'hono/html';
import type { ResponseParameters } from '../../core/authorization/response.ts';
import { framed } from './layout.ts';

export interface FormPostFacts {
  readonly redirect_uri: string;
  readonly parameters: ResponseParameters;
  readonly nonce: string;
}

export function formPostPage({ redirect_uri, parameters, nonce }: FormPostFacts): Promise<string> {
  const content = html`<h1>Back to the app</h1>
    <p>Sending the response to <code>${redirect_uri}</code>.</p>
    <form method="post" action="${redirect_uri}">
      ${Object.entries(parameters).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <button class="button main">Continue</button>
    </form>
    <script nonce="${nonce}">
      document.forms[0].submit();
    </script>`;
  return framed({ title: 'Back to the app', nonce }, content);
}
