// A saved request as a scenario: the steps that provide its credentials, then the request. Pure.

import { SCENARIO_FORMAT, type Client, type SavedRequest } from '../../control/schemas.ts';
import type { Scenario, ScenarioStep } from '../../scenario/schema.ts';
import { wantedBy, withValues } from './credential-places.ts';
import { type Draft, draftOf, wireOf } from './draft.ts';
import { valueIn } from './field-rows.ts';

type Issuing = NonNullable<ScenarioStep['issue_code']>;

/** The code that the request redeems: for its redirect URI if that is registered. The token request decides the audience. */
export function codeFor(draft: Draft, redirect_uris: readonly string[]): Issuing {
  const named = valueIn(draft.body.rows, 'redirect_uri') ?? '';
  return {
    ...(redirect_uris.includes(named) ? { redirect_uri: named } : {}),
    audience: null,
    ...(wantedBy(draft).has('code_verifier') ? { pkce: 'S256' } : {}),
  };
}

// Stand for variables while fields are encoded: no encoding changes them.
const MARKED = /_variable_([a-z_.]+)_variable_/g;
const marked = (variable: string) => `_variable_${variable}_variable_`;

const variables = (text: string, filter = '') =>
  text.replaceAll(MARKED, (_, name: string) => `{{${name}${filter}}}`);

/** Names its client. Credentials are variables, which the steps before it provide. */
export function requestScenario(saved: SavedRequest, clients: readonly Client[]): Scenario {
  const { name, client_id } = saved;
  const draft = draftOf(saved);
  const wanted = wantedBy(draft);
  const party = client_id === null ? {} : { client: client_id };
  const filled = withValues(draft, (variable) =>
    variable.startsWith('client.') && client_id === null ? null : marked(variable),
  );
  const { method, path, headers } = wireOf(filled);
  const text = variables(filled.body.text, `|${draft.body.format}`);
  const steps: ScenarioStep[] = [];
  if (wanted.has('access_token') || wanted.has('refresh_token')) {
    steps.push({ issue_tokens: party });
  }
  if (wanted.has('code')) {
    const client = clients.find((one) => one.client_id === client_id);
    steps.push({ issue_code: { ...party, ...codeFor(draft, client?.redirect_uris ?? []) } });
  }
  if (wanted.has('device_code')) steps.push({ authorize_device: party }, { approve_device: {} });
  steps.push({
    request: {
      ...party,
      method,
      path: variables(path, '|form'),
      headers: headers.map(([header, value]): [string, string] => [header, variables(value)]),
      ...(text === '' ? {} : { text }),
    },
  });
  return { format: SCENARIO_FORMAT, version: 1, name, steps };
}
