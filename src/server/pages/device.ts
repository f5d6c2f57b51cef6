// The pages that connect a device (RFC 8628 3.3): entering the code, the decision, and the result. They work without
// scripts.

import { html } from 'hono/html';
import type { OAuthError } from '../../core/checks/errors.ts';
import { LONGEST_USER_CODE } from '../../core/device-authorization/user-code.ts';
import { framed, type SignInPage } from './layout.ts';
import type { DeviceQuestion } from '../../core/device-authorization/verification.ts';
import { decision, problem, instructions } from './consent.ts';
import type { Client } from '../../core/records/schemas.ts';

export interface DeviceCodeFacts extends SignInPage {
  /** The code to fill in, from the link or from the previous entry. */
  readonly user_code: string;
  /** The problem of the previous code or decision; null at first. */
  readonly refusal: OAuthError | null;
}

export function deviceCodePage(facts: DeviceCodeFacts): Promise<string> {
  const { user_code, refusal, exchange, nonce, look } = facts;
  const content = html`<h1>Connect a device</h1>
    <p>
      ${
        user_code === '' || refusal !== null
          ? 'Enter the code that the device shows.'
          : 'Continue only if your device shows this code and you started the sign-in yourself.'
      }
    </p>
    ${refusal === null ? '' : problem(refusal)}
    <form method="post" action="device">
      <label class="field"
        >Code
        <input
          name="user_code"
          value="${user_code}"
          maxlength="${LONGEST_USER_CODE}"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck="false"
          required
          autofocus
          ${refusal === null ? '' : html`aria-invalid="true" aria-describedby="problem"`}
        />
      </label>
      <div class="actions"><button class="button main">Continue</button></div>
    </form>`;
  return framed({ title: 'Connect a device', nonce, exchange, look }, content);
}

export interface DeviceConsentFacts extends DeviceQuestion, SignInPage {
  /** Name of the field with the form's token. */
  readonly form_field: string;
}

/** Shows the code to compare with the device, the user and the scopes. Enter approves, as on the consent page. */
export function deviceConsentPage(facts: DeviceConsentFacts): Promise<string> {
  const { client, user_code, audience, form, form_field, exchange, nonce, look } = facts;
  const name = client.client_name || client.client_id;
  const content = html`<h1>${name} asks for access on a device</h1>
    <p>
      Approve only if your device shows this code and you started the sign-in yourself.
      ${instructions(facts)}
    </p>
    <dl>
      <dt>Code</dt>
      <dd><span class="code">${user_code}</span></dd>
      <dt>Client</dt>
      <dd><code>${client.client_id}</code></dd>
      <dt>Audience</dt>
      <dd>${audience.name} <code>${audience.uri}</code></dd>
    </dl>
    <form method="post" action="device">
      <input type="hidden" name="${form_field}" value="${form}" />
      <input type="hidden" name="user_code" value="${user_code}" />
      ${decision(facts)}
    </form>`;
  return framed({ title: `${name} asks for access on a device`, nonce, exchange, look }, content);
}

export interface DeviceDoneFacts extends SignInPage {
  readonly approved: boolean;
  readonly client: Client;
}

export function deviceDonePage({ approved, client, exchange, nonce, look }: DeviceDoneFacts) {
  const name = client.client_name || client.client_id;
  const content = approved
    ? html`<h1>Device approved</h1>
        <p>${name} receives its tokens with its next poll. You can close this page.</p>`
    : html`<h1>Device denied</h1>
        <p>${name} receives no tokens. You can close this page.</p>`;
  return framed(
    { title: approved ? 'Device approved' : 'Device denied', nonce, exchange, look },
    content,
  );
}
