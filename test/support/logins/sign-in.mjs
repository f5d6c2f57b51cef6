// Signs in as the first user of the sandbox's page, as a browser would, and returns the authorization response.

const FORM = /name="(grantbench_form)" value="([^"]+)"/;
const SUB = /name="sub"\s+value="([^"]+)"/;
const ACTION = /<form method="post" action="([^"]+)"/;

/** @param {URL} url the authorization request @returns {Promise<URL>} where the user is sent back to */
export async function signIn(url) {
  const asked = await fetch(url, { redirect: 'manual' });
  const location = asked.headers.get('location');
  if (location !== null) return new URL(location);
  const html = await asked.text();
  const [, field = '', form = ''] = FORM.exec(html) ?? [];
  const [, sub = 'ada'] = SUB.exec(html) ?? [];
  const [, action = 'authorize'] = ACTION.exec(html) ?? [];
  const scopes = [...html.matchAll(/name="scope"\s+value="([^"]+)"/g)].map(
    ([, scope = '']) => scope,
  );
  const body = new URLSearchParams([
    [field, form],
    ['decision', 'approve'],
    ['sub', sub],
    ...scopes.map((scope) => ['scope', scope]),
  ]);
  const cookie = asked.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const sent = await fetch(new URL(action, url), {
    method: 'POST',
    body,
    headers: { cookie },
    redirect: 'manual',
  });
  return new URL(sent.headers.get('location') ?? 'about:blank');
}

/**
 * @typedef {object} Setup where and as whom an app signs in
 * @property {string} issuer
 * @property {{ client_id: string, client_secret: string }} client
 * @property {boolean} [dpop] whether tokens are bound to a key
 * @property {Record<string, any>} [metadata] of the issuer, for a careless app that has read it before
 * @property {boolean} [nonRepudiation] whether openid-client verifies the signature in the code flow, too
 */

const env = (/** @type {string} */ name) => process.env[name] ?? '';

export const ISSUER = env('GRANTBENCH_ISSUER');
export const CLIENT = {
  client_id: env('GRANTBENCH_CLIENT_ID'),
  client_secret: env('GRANTBENCH_CLIENT_SECRET'),
};
/** @type {Setup} */
export const SETUP = { issuer: ISSUER, client: CLIENT };
export const REDIRECT_URI = 'http://localhost:3000/callback';

/**
 * Shows the user the message of an error, as many apps do. Where a case has a text that must not be shown, the login says
 * whether it was.
 */
export function showErrors() {
  process.once(
    'uncaughtException',
    (/** @type {Error & { error_description?: string }} */ error) => {
      const page = `${error.message} ${error.error_description ?? ''}`;
      const text = env('GRANTBENCH_LOOK_FOR');
      const fail = () => process.exit(1);
      console.error(page);
      if (text === '') fail();
      fetch(`${env('GRANTBENCH_CONTROL_URL')}/api/client-checks`, {
        method: 'PATCH',
        headers: {
          authorization: `Bearer ${env('GRANTBENCH_CONTROL_TOKEN')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ shown: page.includes(text) }),
      }).then(fail, fail);
    },
  );
}
