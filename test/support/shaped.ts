// A sandbox with the shape of a provider, one client and one user, over real HTTP.

import type { Provider } from '../../src/control/names.ts';
import type { Exchange } from '../../src/control/schemas.ts';
import type { GrantType } from '../../src/core/records/schemas.ts';
import { CREDENTIALS, ORDERS, REDIRECT_URI, sendForm, startHarness } from './harness.ts';

export { ORDERS };

export const AFTER_LOGOUT = 'http://localhost:3000/';
export const TENANT = '5a4db0c5-0000-4000-8000-000000000001';

/** Where an app of this provider points its client, behind the address of the server. */
const BASE: Readonly<Record<Provider, string>> = {
  auth0: '/',
  okta: '/oauth2/default',
  entra: `/${TENANT}/v2.0`,
  keycloak: '/realms/sandbox',
};

const GRANTS: GrantType[] = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
];

export const PASSWORD = 'correct horse battery';

/** @param client members of the client that differ */
export async function startWith(
  shape: object,
  base = '',
  settings: object = {},
  client: object = {},
) {
  const harness = await startHarness({
    workspace: {
      shape,
      settings,
      clients: [
        {
          ...CREDENTIALS,
          grant_types: GRANTS,
          redirect_uris: [REDIRECT_URI],
          post_logout_redirect_uris: [AFTER_LOGOUT],
          ...client,
        },
      ],
      audiences: [{ uri: ORDERS, scopes: ['orders:read'] }],
      users: [
        {
          sub: 'ada',
          name: 'Ada Example',
          email: 'ada@example.test',
          password: PASSWORD,
          groups: ['staff'],
          roles: ['admin'],
          claims: { department: 'R&D' },
        },
      ],
    },
  });
  // Libraries hold an id_token against the machine's clock.
  harness.engine.service.ports.clock.set(Math.floor(Date.now() / 1000) * 1000);
  const origin = `http://localhost:${harness.engine.server().port}`;
  return { harness, origin, issuer: `${origin}${base}` };
}

export const startShaped = (provider: Provider, settings: object = {}, client: object = {}) =>
  startWith({ provider }, BASE[provider], settings, client);

export type Started = Awaited<ReturnType<typeof startWith>>;

export async function lastExchange({ harness }: Started): Promise<Exchange> {
  const { items } = await harness.get<{ items: { number: number }[] }>('/exchanges?limit=1');
  return harness.get<Exchange>(`/exchanges/${items[0]?.number ?? 0}`);
}

/** Posts exactly these fields. */
export const postForm = (
  { origin }: Started,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) => sendForm(origin, path, fields, headers);

/** Posts the fields and the credentials of the client. */
export const post = (started: Started, path: string, fields: Record<string, string>) =>
  postForm(started, path, { ...CREDENTIALS, ...fields });
