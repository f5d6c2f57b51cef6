// Which exchanges of an app cannot be steps, each with the reason: a run has neither the app's browser nor its keys.

import type { Exchange } from '../../control/schemas.ts';
import { AUTHORIZE_PATH } from '../../oauth/endpoint-requests.ts';
import { parseJsonObject } from '../../oauth/json-object.ts';
import { bodyText } from '../exchange/answer.ts';
import { pluralize } from '../ui/short-forms.ts';
import { isPush, requestUriOf } from './asked-parameters.ts';
import { presentedIn } from './presented.ts';
import type { Sandbox } from './registered.ts';
import { isAuthorizeLink, formIn } from './sign-ins.ts';

/** The reasons, as a count of them reads. */
const REASONS = {
  preflight: ['CORS preflight', 'CORS preflights'],
  metadata: ['read of metadata or keys', 'reads of metadata or keys'],
  health: ['health check', 'health checks'],
  page: ['request of a page in the browser', 'requests of pages in the browser'],
  registration: ['registration of a client', 'registrations of clients'],
  other_path: [
    'request to a path that is no endpoint of Grantbench’s own',
    'requests to paths that are no endpoints of Grantbench’s own',
  ],
  assertion: [
    'request signed with a key that only the app has',
    'requests signed with a key that only the app has',
  ],
  cut: ['request whose body was not kept whole', 'requests whose bodies were not kept whole'],
  earlier: [
    'authorization request that began before the first exchange',
    'authorization requests that began before the first exchange',
  ],
  session: [
    'silent authorization request that depends on a session',
    'silent authorization requests that depend on a session',
  ],
  throttled: [
    'rejection by the throttle that depends on earlier requests',
    'rejections by the throttle that depend on earlier requests',
  ],
  client: [
    'request of a client that is no longer registered',
    'requests of clients that are no longer registered',
  ],
} as const;
export type Reason = keyof typeof REASONS;

const STEPS = [
  ...[AUTHORIZE_PATH, '/oauth/token', '/oauth/par', '/oauth/revoke', '/oauth/introspect'],
  ...['/oauth/device_authorization', '/userinfo', '/device'],
];
const PAGES = ['/', '/logout'];
const HEALTH = ['/livez', '/readyz'];

/** What is registered and set. */
type Reasons = Pick<Sandbox, 'clients' | 'settings'>;

const pathOf = ({ path }: Exchange): string => path.split('?', 1)[0] ?? '';
const queryOf = ({ path }: Exchange): URLSearchParams => new URLSearchParams(path.split('?', 2)[1]);

function ofPath(exchange: Exchange): Reason | null {
  const path = pathOf(exchange);
  if (exchange.method === 'OPTIONS') return 'preflight';
  if (path.startsWith('/.well-known/')) return 'metadata';
  if (HEALTH.includes(path)) return 'health';
  if (PAGES.includes(path)) return 'page';
  if (path === '/register') return 'registration';
  if (!STEPS.includes(path)) return 'other_path';
  return null;
}

/** What is captured of a long body is its beginning. */
const isCut = ({ request }: Exchange): boolean =>
  request.body_encoding === 'utf8' &&
  new TextEncoder().encode(request.body).length < request.body_bytes;

/** By the client itself, with a key that no run has. */
export const isSigned = (exchange: Exchange): boolean => {
  const body = bodyText(exchange.request);
  const names = Object.keys(parseJsonObject(body) ?? Object.fromEntries(new URLSearchParams(body)));
  return names.includes('client_assertion') || names.includes('assertion');
};

/** Only then does no session in a browser decide (OpenID Connect Core 3.1.2.6). */
const isSilent = (exchange: Exchange): boolean =>
  isAuthorizeLink(exchange) &&
  queryOf(exchange).get('prompt') === 'none' &&
  exchange.error !== null &&
  exchange.error !== 'login_required';

/** What the throttle counts by: the credential, or the client of a grant without one. */
const countedBy = (exchange: Exchange): string | null =>
  presentedIn(exchange)[0]?.value ?? exchange.client_id;

/** Whether the recording has as many requests with the same credential as fill the window. */
function isThrottledHere(
  exchange: Exchange,
  before: readonly Exchange[],
  { clients, settings }: Reasons,
): boolean {
  const own = clients.find(({ client_id }) => client_id === exchange.client_id)?.throttle ?? null;
  const counted = before.filter(
    (other) => !other.throttled && countedBy(other) === countedBy(exchange),
  );
  return counted.length >= (own ?? settings.throttle).limit;
}

/** Decides about the exchanges of a recording, oldest first. */
export function leavesOut(sandbox: Reasons) {
  const { clients } = sandbox;
  const kept: Exchange[] = [];
  const forms = new Set<string>();
  const pushed = new Set<string>();

  const ofAuthorization = (exchange: Exchange): Reason | null => {
    const form = formIn(exchange);
    if (form !== null) return forms.has(form) ? null : 'earlier';
    const brought = isAuthorizeLink(exchange) ? queryOf(exchange).get('request_uri') : null;
    const isKnown = brought === null || exchange.error !== null || pushed.has(brought);
    return isKnown ? null : 'earlier';
  };
  const ofClient = ({ client_id, error }: Exchange): Reason | null => {
    const isRegistered = clients.some((client) => client.client_id === client_id);
    return client_id === null || error !== null || isRegistered ? null : 'client';
  };
  const reasonOf = (exchange: Exchange): Reason | null => {
    const ofAll = ofPath(exchange) ?? ofAuthorization(exchange) ?? ofClient(exchange);
    if (ofAll !== null) return ofAll;
    if (pathOf(exchange) === '/device') return 'page';
    if (isCut(exchange)) return 'cut';
    if (isSigned(exchange)) return 'assertion';
    if (isSilent(exchange)) return 'session';
    return exchange.throttled && !isThrottledHere(exchange, kept, sandbox) ? 'throttled' : null;
  };
  return (exchange: Exchange): Reason | null => {
    const reason = reasonOf(exchange);
    if (reason !== null) return reason;
    kept.push(exchange);
    if (exchange.sign_in !== null) forms.add(exchange.sign_in.form);
    const request_uri = isPush(exchange) ? requestUriOf(exchange) : null;
    if (request_uri !== null) pushed.add(request_uri);
    return null;
  };
}

/** `1 CORS preflight`, `2 reads of metadata or keys` */
export function reasonsInWords(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons)].map((reason) => {
    const [one, many] = REASONS[reason];
    return pluralize(reasons.filter((other) => other === reason).length, one, many);
  });
}
