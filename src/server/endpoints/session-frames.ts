// The pages that keycloak-js loads in frames, beside the authorization endpoint of a shape of Keycloak: whether the
// browser sends cookies there, and whether the user is still signed in. Each posts one word to the page that embeds it.

import type { IncomingHttpHeaders } from 'node:http';
import { html } from 'hono/html';
import type { TokenService } from '../../core/service.ts';
import { readCookies } from '../browser-request.ts';
import { page, redirect } from '../html.ts';
import type { PendingExchange } from '../pending-exchange.ts';
import { type Answer, NO_STORE } from '../reply.ts';

export type SessionFrame = 'step1' | 'step2' | 'status' | 'status_origin';

/** Keycloak loads the second page to see whether the browser sends the cookie that the first one set. */
const STEP2 = 'step2.html';

function cookieSupport(isSent: boolean, service: TokenService): Promise<Answer> {
  const word = isSent ? 'supported' : 'unsupported';
  const make = async (nonce: string) =>
    String(
      await html`<!doctype html>
        <title>Cookies</title>
        <script nonce="${nonce}" data-word="${word}">
          parent.postMessage(document.currentScript.dataset.word, '*');
        </script>`,
    );
  return page({ service, make, scripted: true, framed_by: '*' });
}

/**
 * The page that compares what the app believes with the cookie of the session. It responds only to origins of the
 * client's redirect URIs. Where every request is granted without a page, the user counts as signed in.
 */
function loginStatus(cookie: string, headers: readonly string[], service: TokenService) {
  const always = service.settings().authorize === 'auto' ? 'yes' : '';
  const make = async (nonce: string) =>
    String(
      await html`<!doctype html>
        <title>Sign-in status</title>
        <script nonce="${nonce}" data-cookie="${cookie}" data-always="${always}">
          const { cookie, always } = document.currentScript.dataset;
          const origins = new Map();
          const mayKnow = (client_id, origin) => {
            const query = String(new URLSearchParams({ client_id, origin }));
            if (!origins.has(query) && origins.size < 10) {
              const asked = fetch('login-status-iframe.html/init?' + query);
              origins.set(
                query,
                asked.then(
                  ({ ok }) => ok,
                  () => false,
                ),
              );
            }
            return origins.get(query);
          };
          addEventListener('message', async ({ data, origin, source }) => {
            if (source !== parent || typeof data !== 'string') return;
            const [client_id, session = ''] = data.split(' ');
            const known = await mayKnow(client_id, origin);
            const signedIn = always !== '' || document.cookie.split('; ').includes(cookie);
            const word = signedIn === (session !== '') ? 'unchanged' : 'changed';
            source.postMessage(known ? word : 'error', origin);
          });
        </script>`,
    );
  const connects = true;
  return page({ service, make, scripted: true, connects, framed_by: '*', headers });
}

/** Whether pages of this origin belong to the client, by its redirect URIs. */
function isOriginOf(query: string, { registry }: TokenService): boolean {
  const parameters = new URLSearchParams(query);
  const client = registry.clients.get(parameters.get('client_id') ?? '');
  const origin = parameters.get('origin');
  // Opaque origins, as of private-use schemes, are all "null".
  if (client === undefined || origin === 'null') return false;
  return client.redirect_uris.some((uri) => new URL(uri).origin === origin);
}

/** Handles one request for a page, or for the question of the status page about an origin. */
export async function sessionFrame(
  frame: SessionFrame,
  pending: PendingExchange,
  headers: IncomingHttpHeaders,
  query: string,
  service: TokenService,
): Promise<Answer> {
  const cookies = readCookies(headers, service);
  switch (frame) {
    case 'step1':
      return redirect(pending, STEP2, null, cookies.probe());
    case 'step2':
      return cookieSupport(cookies.probed, service);
    case 'status': {
      const isSignedIn = service.userAuthorization.isSignedIn(cookies.visitor);
      return loginStatus(cookies.signedIn, cookies.showSession(isSignedIn), service);
    }
    case 'status_origin': {
      const status = isOriginOf(query, service) ? 204 : 403;
      return { status, headers: NO_STORE, body: '', error: null };
    }
  }
}
