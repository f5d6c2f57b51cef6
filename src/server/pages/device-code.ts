// The page that asks for the code of a device (RFC 8628 3.3). It works without scripts.

import { html } from 'hono/html';
import type { OAuthError } from '../../core/checks/errors.ts';
import { describeCause } from '../../core/checks/causes.ts';
import { LONGEST_USER_CODE } from '../../core/device-authorization/user-code.ts';
import type { Content } from './layout.ts';
import { framed } from './layout.ts';

export interface DeviceCodeFacts {
  /** What is filled in: of the link, or what was typed before. */
  readonly user_code: string;
  /** What was wrong with the former code or decision; null at first. */
  readonly refusal: OAuthError | null;
  readonly exchange: number;
  readonly nonce: string;
}

function problem(refusal: OAuthError | null): Content | string {
  if (refusal === null) return '';
  const { summary, detail, advice } = describeCause(refusal);
  return html`<div class="why" role="alert" id="problem">
    <b>${summary}</b>
    ${detail === null ? '' : html`<p>${detail}</p>`}
    ${advice === null ? '' : html`<p>${advice}</p>`}
  </div>`;
}

export function deviceCodePage(facts: DeviceCodeFacts): Promise<string> {
  const { user_code, refusal, exchange, nonce } = facts;
  const content = html`<h1>Connect a device</h1>
    <p>
      ${
        user_code === '' || refusal !== null
          ? 'Enter the code that the device shows.'
          : 'Continue only if this is the code that your device shows, and you started it yourself.'
      }
    </p>
    ${problem(refusal)}
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
          ${refusal === null ? '' : 'aria-invalid="true" aria-describedby="problem"'}
        />
      </label>
      <div class="actions"><button class="button main">Continue</button></div>
    </form>`;
  return framed({ title: 'Connect a device', nonce, exchange }, content);
}
