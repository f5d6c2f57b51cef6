// Logouts of one user by many apps at once, whose back-channel logout URIs nobody serves (Back-Channel Logout 2.5): browsers
// sign in with several clients, and all sign out in parallel, some twice.

import { authorize } from '../harness/normal-client.mjs';
import { REDIRECT_URI, USER } from '../harness/workspace.mjs';

const CLIENTS = ['busy-app', 'other-app', 'hmac-app'];

/** A browser that keeps its cookies. */
function createBrowser(attack) {
  const cookies = new Map();
  return async (order) => {
    const cookie = [...cookies.values(), order.headers?.cookie].filter(Boolean).join('; ');
    const headers = { ...order.headers, ...(cookie === '' ? {} : { cookie }) };
    const answer = await attack.request({ ...order, headers });
    for (const text of answer?.headers['set-cookie'] ?? []) {
      const [pair] = text.split(';');
      cookies.set(pair.split('=')[0], pair);
    }
    return answer ?? { status: 0, headers: {}, text: '' };
  };
}

async function signOut(attack) {
  const { random } = attack;
  const oauth = createBrowser(attack);
  for (const client_id of CLIENTS.slice(0, random.between(1, CLIENTS.length))) {
    const asked = { response_type: 'code', redirect_uri: REDIRECT_URI, login_hint: USER };
    const query = new URLSearchParams({ client_id, ...asked, scope: 'openid', state: 's' });
    await authorize({ oauth }, `/authorize?${query}`);
  }
  const client_id = random.pick([...CLIENTS, random.text(8)]);
  const path = `/logout?${new URLSearchParams(random.chance(0.5) ? { client_id } : {})}`;
  await Promise.all(Array.from({ length: random.between(1, 4) }, () => oauth({ path })));
}

export const logoutKinds = [{ name: 'logout-page', weight: 2, run: signOut }];
