// GET /: where everything is, for people who open the server's address in a browser.

import type { TokenService } from '../../core/service.ts';
import { page } from '../html.ts';
import type { Answer } from '../reply.ts';

type Line = readonly [label: string, address: string];

function endpointsOf(service: TokenService): Line[] {
  const issuer = service.issuer();
  const open = service.settings().registration.mode !== 'off';
  return [
    ['Authorization', `${issuer}/authorize`],
    ['Token endpoint', `POST ${issuer}/oauth/token`],
    ['Revocation', `POST ${issuer}/oauth/revoke`],
    ['Introspection', `POST ${issuer}/oauth/introspect`],
    ['User info', `${issuer}/userinfo`],
    ['Logout', `${issuer}/logout`],
    ...(open ? ([['Registration', `POST ${issuer}/register`]] as const) : []),
    ['Metadata', `${issuer}/.well-known/oauth-authorization-server`],
    ['OpenID metadata', `${issuer}/.well-known/openid-configuration`],
    ['Keys', `${issuer}/.well-known/jwks.json`],
  ];
}

/** @param workbench where it is, without its token; null when there is none */
export async function landing(
  service: TokenService,
  workbench: string | null,
  version: string,
): Promise<Answer> {
  const { landingPage } = await import('../pages/landing.ts');
  const facts = { issuer: service.issuer(), endpoints: endpointsOf(service), workbench, version };
  return page({ service, make: (nonce) => landingPage({ ...facts, nonce }) });
}
