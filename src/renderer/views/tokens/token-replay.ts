// The replay of a code or refresh token as its client would send it, and the forecast of it in words. Pure.

import type {
  Client,
  Credential,
  EvaluateRequest,
  Exchange,
  Forecast,
} from '../../../control/schemas.ts';
import type { Run } from '../../../scenario/actions/action.ts';
import { composeStep } from '../../../scenario/actions/index.ts';
import { sendRequestOf } from '../../../scenario/runner/over-control.ts';
import type { ScenarioStep } from '../../../scenario/schema.ts';
import { ISSUED_WORDS } from '../../exchange/answer.ts';
import { tokenStep } from '../../sending/token-steps.ts';
import { enumerated } from '../../../words.ts';

/** The members of a credential that its request is composed from. */
export type Replayed = Pick<Credential, 'id' | 'kind' | 'redirect_uri' | 'audience'>;

/**
 * The documented request for it (spec 4.1).
 * @param value the code or refresh token itself
 */
export function replayStep(
  { kind, redirect_uri, audience }: Replayed,
  value: string,
  client: Client,
): ScenarioStep {
  if (kind === 'refresh_token') return tokenStep(client, kind, { refresh_token: value });
  return tokenStep(client, 'authorization_code', {
    audience: audience ?? client.default_audience ?? '{{issuer}}',
    redirect_uri: redirect_uri ?? '',
    code: value,
  });
}

/** Why a credential cannot be replayed from here; null when it can. */
export function replayObstacle(credential: Credential, client: Client | null): string | null {
  if (credential.kind === 'access_token')
    return 'An access token is not presented to the token endpoint.';
  if (client === null) return 'Its client is no longer registered.';
  if (client.token_endpoint_auth_method === 'private_key_jwt') {
    return 'Its client signs an assertion with a key that only the app has.';
  }
  return null;
}

/** A placeholder for the value, which no encoding changes. */
const STAND_IN = 'value-of-the-credential';

/** The same request for an evaluation, which reads the value of the credential itself. */
export function replayToEvaluate(credential: Replayed, client: Client, run: Run): EvaluateRequest {
  const composed = composeStep(replayStep(credential, STAND_IN, client), run);
  if (composed === null) throw new Error('A token request must be a single request.');
  const { body = '', ...request } = sendRequestOf(composed);
  return {
    ...request,
    body: body.replace(STAND_IN, '{{credential}}'),
    credentials: { credential: credential.id },
  };
}

/** The effects that matter to the user. That the request is counted does not. */
const SHOWN_EFFECTS: readonly Forecast['effects'][number]['kind'][] = [
  'redeem',
  'rotate',
  'revoke',
  'revoke_lineage',
];

function answerInWords({ status, error, why, issued, fault, trace }: Forecast): string {
  const answer = error === null ? String(status) : `${status} ${error}`;
  if (fault !== null && trace.length === 0) {
    const how = status === 0 ? 'ends the connection' : `answers with ${status}`;
    return `The fault rule “${fault.name || fault.id}” ${how} before the request is evaluated.`;
  }
  const failed = trace.find(({ verdict }) => verdict === 'failed');
  if (why !== null) return `${answer}${failed ? ` (${failed.section})` : ''}. ${why.summary}`;
  const tokens = issued.map(({ kind }) => ISSUED_WORDS[kind]);
  return tokens.length === 0 ? `${answer}.` : `${answer} with ${enumerated(tokens)}.`;
}

/** The response that core expects and what else would change, in sentences. */
export function forecastInWords(forecast: Forecast): string {
  const { effects, fault, trace } = forecast;
  const changed = effects
    .filter(({ kind }) => SHOWN_EFFECTS.includes(kind))
    .map(({ text }) => text);
  const altered =
    fault !== null && trace.length > 0
      ? [`The fault rule “${fault.name || fault.id}” then changes the response.`]
      : [];
  return [answerInWords(forecast), ...changed, ...altered].join(' ');
}

/** Whether the lineage would be revoked, which nothing undoes. */
export const revokesLineage = ({ effects }: Forecast): boolean =>
  effects.some(({ kind }) => kind === 'revoke_lineage');

/** Whether the response has the expected status and reason. */
export const isAsExpected = ({ status, why }: Exchange, forecast: Forecast): boolean =>
  status === forecast.status && (why?.reason ?? null) === (forecast.why?.reason ?? null);
