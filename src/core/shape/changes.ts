// Describes what a shape changes, in sentences generated from its members.

import { ENDPOINT_NAMES, ENDPOINTS } from '../records/endpoints.ts';
import { isJsonObject } from '../../json.ts';
import { capitalized } from '../../words.ts';
import type { Shape } from '../records/schemas.ts';
import { resolvePaths } from './paths.ts';
import { wholeShape } from './resolve.ts';
import { TEMPLATE_NAMES, type TemplateName } from './template-rules.ts';

const WHERE: Readonly<Record<TemplateName, string>> = {
  access_token: 'Access tokens',
  id_token: 'The id_token',
  userinfo: 'Userinfo',
  refresh_token: 'Refresh tokens',
  token_response: 'Token responses',
  device_response: 'Device authorization responses',
};

const LENIENCE_WORDS = {
  credentials_twice: 'the same credentials in header and body',
  basic_client_id_alone: 'HTTP Basic with a client_id alone',
  access_token_in_query: 'an access token in the query at userinfo',
  on_behalf_of: 'an access token as the assertion of the JWT bearer grant (on_behalf_of)',
} satisfies Record<NonNullable<Shape['accepts']>[number], string>;

const listed = (names: readonly string[]) => names.join(', ');

function membersSentence(where: string, members: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(members);
  const set = names.filter((name) => members[name] !== null);
  const left = names.filter((name) => members[name] === null);
  if (names.length === 0) return [];
  const isOne = where.startsWith('The ') || where === 'Userinfo';
  const [have, omit] = isOne ? ['has', 'omits'] : ['have', 'omit'];
  const parts = [
    ...(set.length > 0 ? [`${have} ${listed(set)}`] : []),
    ...(left.length > 0 ? [`${omit} ${listed(left)}`] : []),
  ];
  return [`${where} ${parts.join(' and ')}.`];
}

function pathSentences(shape: Shape): string[] {
  const { named, issuer_path } = resolvePaths(shape);
  const at = ENDPOINT_NAMES.flatMap((name) => {
    const path = named.get(name);
    if (path === undefined) return [];
    const words = capitalized(ENDPOINTS[name].words);
    return [
      path === null
        ? `${words}: not in the metadata, and still at ${ENDPOINTS[name].path}.`
        : `${words}: ${path}.`,
    ];
  });
  return [...(issuer_path === '' ? [] : [`The issuer ends in ${issuer_path}.`]), ...at];
}

/** `lifetimes.code = 60` for each setting. */
function settingsOf(settings: unknown, path = ''): string[] {
  if (!isJsonObject(settings)) return [`${path} = ${JSON.stringify(settings)}`];
  return Object.entries(settings).flatMap(([name, value]) =>
    settingsOf(value, path === '' ? name : `${path}.${name}`),
  );
}

function errorSentence({ errors = [] }: Shape): string[] {
  if (errors.length === 0) return [];
  const statuses = [...new Set(errors.flatMap(({ status }) => status ?? []))].sort();
  const withStatus = statuses.length === 0 ? '' : `, with status ${statuses.join(' or ')}`;
  return [`Errors with the body of the provider: ${errors.length}${withStatus}.`];
}

/** @param given a shape without problems */
export function describeShape(given: Shape): string[] {
  const shape = wholeShape(given);
  const { metadata = {}, settings = {}, logout_parameters = {}, grant_types = {} } = shape;
  const logout = Object.entries(logout_parameters).map(([name, target]) => `${name} as ${target}`);
  const grants = Object.entries(grant_types).map(([name, target]) => `${name} as ${target}`);
  const accepted = (shape.accepts ?? []).map((one) => LENIENCE_WORDS[one]);
  const set = settingsOf(settings);
  return [
    ...pathSentences(shape),
    ...membersSentence('Metadata documents', metadata),
    ...TEMPLATE_NAMES.flatMap((name) => membersSentence(WHERE[name], shape[name] ?? {})),
    ...(shape.refresh_token_format === 'jwt' ? ['Refresh tokens are signed JWTs.'] : []),
    ...(logout.length > 0 ? [`The logout endpoint also reads ${listed(logout)}.`] : []),
    ...(grants.length > 0 ? [`The token endpoint also knows ${listed(grants)}.`] : []),
    ...(accepted.length > 0 ? [`Also accepted: ${listed(accepted)}.`] : []),
    ...errorSentence(shape),
    ...(set.length > 0 ? [`Settings: ${listed(set)}.`] : []),
  ];
}
