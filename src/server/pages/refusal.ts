// The page for a request that is rejected without a redirect: the rule, the expected and actual value with the
// position of their difference, and the number of the exchange with all checks.

import { html } from 'hono/html';
import type { OAuthError } from '../../core/checks/errors.ts';
import { describeCause } from '../../core/checks/describe-cause.ts';
import { describeChecks } from '../../core/checks/describe-checks.ts';
import { REFUSALS } from '../../core/checks/refusals/index.ts';
import type { Evaluation } from '../../core/checks/trace.ts';
import { type Content, framed } from './layout.ts';

export interface RefusalFacts {
  readonly refusal: OAuthError;
  readonly evaluation: Evaluation;
  readonly nonce: string;
}

/** Long values are shortened to the text around the difference. */
const SHOWN = 600;

function compared(text: string, differs_at: number | null): Content {
  const shown = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  if (differs_at === null || differs_at >= shown.length) return html`<code>${shown}</code>`;
  const [same, other] = [shown.slice(0, differs_at), shown.slice(differs_at)];
  return html`<code>${same}<mark>${other}</mark></code>`;
}

function operands({ refusal }: RefusalFacts, differs_at: number | null): Content | string {
  const { expected, got } = refusal.facts;
  const nearest = REFUSALS[refusal.reason].compared_with === 'nearest';
  const row = (label: string, value: Content) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  if (expected === undefined && got === undefined) return '';
  return html`<dl class="rule">
    ${
      expected === undefined
        ? ''
        : row(nearest ? 'Nearest registered' : 'Expected', compared(expected, null))
    }
    ${got === undefined ? '' : row('Actual', compared(got, differs_at))}
  </dl>`;
}

function headingOf({ refusal, evaluation }: RefusalFacts) {
  if (evaluation.endpoint === 'logout') {
    return {
      title: 'Not signed out',
      text: 'The logout request was rejected. The session is unchanged.',
    };
  }
  return refusal.check === 'form'
    ? { title: 'Form rejected', text: 'Nothing was granted or denied.' }
    : {
        title: 'Authorization request rejected',
        text: 'The browser is not redirected to the app, because the redirect URI cannot be trusted.',
      };
}

/** Why a document cannot be used is for the workbench only: a page must not explore this machine through it. */
const isConfidential = ({ reason }: OAuthError): boolean => reason === 'client_document_unusable';

export function refusalPage(facts: RefusalFacts): Promise<string> {
  const { refusal, evaluation, nonce } = facts;
  const { check, summary, detail, advice, differs_at } = describeCause(
    refusal,
    evaluation.client_id,
  );
  const rule = describeChecks(evaluation, false).find(({ id }) => id === check);
  const { title, text } = headingOf(facts);
  const content = html`<h1>${title}</h1>
    <p>${text}</p>
    <div class="why" role="alert">
      <b>${summary}</b>
      ${detail === null || isConfidential(refusal) ? '' : html`<p><code>${detail}</code></p>`}
      ${advice === null ? '' : html`<p>${advice}</p>`}
    </div>
    ${isConfidential(refusal) ? '' : operands(facts, differs_at)}
    <dl class="rule">
      <dt>Rule</dt>
      <dd>${rule?.rule} <span class="ref">${rule?.section}</span></dd>
      <dt>Error</dt>
      <dd><code>${refusal.code}</code> ${refusal.description}</dd>
    </dl>
    <p class="foot">
      The workbench shows every check of this request in exchange ${evaluation.exchange}.
    </p>`;
  return framed({ title, nonce, exchange: evaluation.exchange }, content);
}
