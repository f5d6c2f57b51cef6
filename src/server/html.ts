// Responses that a browser shows or follows. The pages are loaded when the first one is shown.

import type { OAuthError } from '../core/checks/errors.ts';
import type { Look } from './pages/layout.ts';
import type { TokenService } from '../core/service.ts';
import { encodeRandom } from '../core/issuing/random-text.ts';
import { fail } from '../core/checks/trace.ts';
import { evaluationOf, type PendingExchange } from './pending-exchange.ts';
import { type Answer, type HeaderList, NO_STORE } from './reply.ts';
import { statusOf } from './dialects.ts';

/** Headers against leaks: no cache keeps the page, and no referrer is sent to the next page. */
const DISCREET: HeaderList = [
  ...NO_STORE,
  'Referrer-Policy',
  'no-referrer',
  'X-Content-Type-Options',
  'nosniff',
];

/** Renders a page. The policy allows its style, and its script if it has one, by the nonce. */
interface PageOptions {
  readonly service: TokenService;
  /** @param look of the pages on which a user signs in */
  readonly make: (nonce: string, look: Look) => Promise<string>;
  readonly scripted?: boolean;
  /** Whether its script may send requests to this service. */
  readonly connects?: boolean;
  /** The only origin whose pages may show it in a frame, or `*`; none if undefined. */
  readonly framed_by?: string;
  readonly status?: number;
  readonly error?: string | null;
  readonly headers?: HeaderList;
}

/**
 * The policy has no `form-action`, because Chromium would apply it to the redirect after a form (architecture,
 * Safety).
 */
function policy(
  nonce: string,
  { logo }: Look,
  scripted: boolean,
  connects: boolean,
  framed_by: string,
): string {
  const image = logo === undefined ? '' : 'img-src data:; ';
  const script = scripted ? `script-src 'nonce-${nonce}'; ` : '';
  const connect = connects ? "connect-src 'self'; " : '';
  return `default-src 'none'; style-src 'nonce-${nonce}'; ${image}${script}${connect}base-uri 'none'; frame-ancestors ${framed_by}`;
}

export async function page({
  service,
  make,
  scripted = false,
  connects = false,
  framed_by = "'none'",
  status = 200,
  error = null,
  headers = [],
}: PageOptions): Promise<Answer> {
  const nonce = encodeRandom(service.ports.random(16));
  const look = service.settings().sign_in_page ?? {};
  return {
    status,
    headers: [
      'Content-Type',
      'text/html; charset=utf-8',
      'Content-Security-Policy',
      policy(nonce, look, scripted, connects, framed_by),
      ...DISCREET,
      ...headers,
    ],
    body: await make(nonce, look),
    error,
  };
}

/** 302 after GET; 303 after POST, so that the browser does not post again (RFC 9110 15.4.4). */
export const redirectStatus = (method: string): number => (method === 'POST' ? 303 : 302);

export function redirect(
  pending: PendingExchange,
  location: string,
  error: string | null,
  headers: HeaderList = [],
): Answer {
  return {
    status: redirectStatus(pending.method),
    headers: ['Location', location, ...DISCREET, ...headers],
    body: '',
    error,
  };
}

/** Returns the status and error of a page that shows a refusal; those of any page without one. */
export const failureOf = (refusal: OAuthError | null): Pick<PageOptions, 'status' | 'error'> =>
  refusal === null ? {} : { status: statusOf(refusal.reason, refusal.code), error: refusal.code };

/** Records the error on the exchange and shows it on a page, without a redirect. */
export async function refusePage(
  pending: PendingExchange,
  refusal: OAuthError,
  service: TokenService,
): Promise<Answer> {
  const evaluation = evaluationOf(pending);
  fail(evaluation, refusal);
  const { refusalPage } = await import('./pages/refusal.ts');
  return page({
    service,
    make: (nonce) => refusalPage({ refusal, evaluation, nonce }),
    ...failureOf(refusal),
  });
}
