// The sign-in and consent page: who authorizes, which client, for what, and where it leads. It works
// without scripts; Enter approves, as the first button of a form is its default.

import { html } from 'hono/html';
import { OAuthError } from '../../core/checks/errors.ts';
import { describeCause } from '../../core/checks/causes.ts';
import type { Question } from '../../core/authorization/consent.ts';
import { decision } from './choices.ts';
import type { Content } from './layout.ts';
import { framed } from './layout.ts';

export interface ConsentFacts extends Question {
  /** Name of the field that carries the form's token. */
  readonly form_field: string;
  /** Where the form goes: the last segment of the path that shows it. */
  readonly action: string;
  readonly exchange: number;
  readonly nonce: string;
}

const clientName = ({ client }: Question) => client.client_name || client.client_id;

function audienceWords({ audience }: Question): Content | string {
  if (audience === null) return 'Decided when the code is exchanged';
  return html`${audience.name} <code>${audience.uri}</code>`;
}

/** The reason why a sign-in is needed again. A plain first visit has none. */
function noticeOf({ reason }: Question): Content | string {
  if (reason === null || reason === 'sign_in_missing') return '';
  const { summary } = describeCause(new OAuthError(reason));
  return html`<p class="notice">${summary}</p>`;
}

export function consentPage(facts: ConsentFacts): Promise<string> {
  const { client, redirect_uri, form, form_field, exchange, nonce } = facts;
  const name = clientName(facts);
  const content = html`<h1>${name} asks for access</h1>
    <p>Select the user who signs in and the scopes to grant. The sandbox needs no password.</p>
    <dl>
      <dt>Client</dt>
      <dd><code>${client.client_id}</code></dd>
      <dt>Audience</dt>
      <dd>${audienceWords(facts)}</dd>
      <dt>Redirect URI</dt>
      <dd><code>${redirect_uri}</code></dd>
    </dl>
    ${noticeOf(facts)}
    <form method="post" action="${facts.action}">
      <input type="hidden" name="${form_field}" value="${form}" />
      ${decision(facts)}
    </form>`;
  return framed({ title: `${name} asks for access`, nonce, exchange }, content);
}
