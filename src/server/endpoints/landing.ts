// GET /: lists all endpoints for users who open the server's address in a browser.

import type { EndpointName } from '../../core/records/endpoints.ts';
import type { TokenService } from '../../core/service.ts';
import { page } from '../html.ts';
import type { Answer } from '../reply.ts';
import { html } from 'hono/html';
import { framed } from '../pages/layout.ts';

interface LandingFacts {
  readonly issuer: string;
  readonly endpoints: readonly (readonly [label: string, address: string])[];
  /** The URL of the workbench, without the control token; null without a workbench. */
  readonly workbench: string | null;
  readonly version: string;
  readonly nonce: string;
}

function landingPage(facts: LandingFacts): Promise<string> {
  const { issuer, endpoints, version, nonce } = facts;
  const workbench =
    facts.workbench === null
      ? 'The workbench is in the Grantbench window, if that is open.'
      : html`The workbench is at <a href="${facts.workbench}">${facts.workbench}</a>; open it with
          the URL printed at the start, which contains the control token.`;
  const rows = endpoints.map(
    ([label, address]) =>
      html`<dt>${label}</dt>
        <dd><code>${address}</code></dd>`,
  );
  const content = html`<h1>Grantbench ${version}</h1>
    <p>
      A sandbox authorization server. The <code>Grantbench-Exchange</code> header of a response is
      the number of its trace in the workbench.
    </p>
    <dl>
      <dt>Issuer</dt>
      <dd><code>${issuer}</code></dd>
      ${rows}
      <dt>Workbench</dt>
      <dd>${workbench}</dd>
    </dl>`;
  return framed({ title: 'Sandbox', nonce }, content);
}

type Line = readonly [label: string, address: string];

function endpointsOf(service: TokenService): Line[] {
  const addresses = service.endpoints();
  const at = (name: EndpointName, method = '') => `${method}${addresses[name]}`;
  const open = service.settings().registration.mode !== 'off';
  return [
    ['Authorization', at('authorization')],
    ['Token endpoint', at('token', 'POST ')],
    ['Pushed requests', at('pushed_authorization_request', 'POST ')],
    ['Revocation', at('revocation', 'POST ')],
    ['Introspection', at('introspection', 'POST ')],
    ['Device authorization', at('device_authorization', 'POST ')],
    ['Device verification', `${service.base()}/device`],
    ['User info', at('userinfo')],
    ['Logout', at('end_session')],
    ...(open ? ([['Registration', at('registration', 'POST ')]] as const) : []),
    ['Metadata', at('oauth_authorization_server')],
    ['OpenID metadata', at('openid_configuration')],
    ['Keys', at('jwks')],
  ];
}

/** @param workbench its URL, without the control token; null without a workbench */
export function landing(
  service: TokenService,
  workbench: string | null,
  version: string,
): Promise<Answer> {
  const facts = { issuer: service.issuer(), endpoints: endpointsOf(service), workbench, version };
  return page({ service, make: (nonce) => landingPage({ ...facts, nonce }) });
}
