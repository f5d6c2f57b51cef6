// GET /: where everything is, for people who open the server's address in a browser.

import type { EndpointName } from '../../core/records/endpoints.ts';
import type { TokenService } from '../../core/service.ts';
import { page } from '../html.ts';
import { landingPage } from '../pages/landing.ts';
import type { Answer } from '../reply.ts';

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

/** @param workbench where it is, without its token; null when there is none */
export function landing(
  service: TokenService,
  workbench: string | null,
  version: string,
): Promise<Answer> {
  const facts = { issuer: service.issuer(), endpoints: endpointsOf(service), workbench, version };
  return page({ service, make: (nonce) => landingPage({ ...facts, nonce }) });
}
