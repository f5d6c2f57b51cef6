// The page on which a person approves or denies a device: the code to be compared with the device, who
// signs in, and what is granted. It works without scripts; Enter approves, as on the consent page.

import { html } from 'hono/html';
import type { DeviceQuestion } from '../../core/device-authorization/verification.ts';
import { decision } from './choices.ts';
import { framed } from './layout.ts';

export interface DeviceConsentFacts extends DeviceQuestion {
  /** Name of the field that carries the form's token. */
  readonly form_field: string;
  readonly exchange: number;
  readonly nonce: string;
}

export function deviceConsentPage(facts: DeviceConsentFacts): Promise<string> {
  const { client, user_code, audience, form, form_field, exchange, nonce } = facts;
  const name = client.client_name || client.client_id;
  const content = html`<h1>${name} asks for access on a device</h1>
    <p>
      Approve only if your device shows this code, and you started it yourself. Select the user who
      signs in and the scopes to grant. The sandbox needs no password.
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
  return framed({ title: `${name} asks for access on a device`, nonce, exchange }, content);
}
