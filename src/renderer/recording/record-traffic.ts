// Turns exchanges of an app into a scenario, and says what the scenario contains and omits.
//
//   recordTraffic({ name, exchanges, sandbox }): RecordedTraffic

import { HEALTH_PATHS } from '../../control/names.ts';
import type { Client, Exchange } from '../../control/schemas.ts';
import type { Scenario } from '../../scenario/schema.ts';
import { bodyFields, bodyText, isRejected, tokenAnswerOf, deviceOf } from '../exchange/answer.ts';
import { pluralize } from '../../words.ts';
import {
  type DeviceDecision,
  exchangeOf,
  isPush,
  queryParameters,
  type RecordedEvent,
  requestUriOf,
  type Sandbox,
} from './recording.ts';
import { record, type Recorded } from './scenario.ts';
import { parseJsonObject } from '../../json.ts';
import { formIn, isAuthorizeLink, isRejectedForm } from './authorization.ts';
import { presentedIn } from './unissued.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import { FORM_FIELD } from '../../scenario/sign-in-form.ts';

interface Traffic {
  readonly name: string;
  /** Oldest first, with secrets. */
  readonly exchanges: readonly Exchange[];
  readonly sandbox: Sandbox;
  /** The number of other chosen exchanges that are no longer stored or beyond the limit. */
  readonly missing?: number;
}

interface RecordedTraffic {
  readonly scenario: Scenario;
  /** What the file contains, in one line. */
  readonly summary: string;
}

const REQUESTS = ['authorize', 'authorize_device', 'token', 'request'] as const;

function countsOf({ steps }: Scenario) {
  const requests = steps.filter((step) => REQUESTS.some((name) => step[name] !== undefined));
  const rejections = requests.filter(({ expect }) =>
    isRejected({
      status: Number(expect?.status ?? 200),
      error: typeof expect?.error === 'string' ? expect.error : null,
    }),
  );
  return { requests: requests.length, rejections: rejections.length };
}

/** How credentials from before the first exchange are replaced. */
function earlierInWords({ issued_again, invalid }: Recorded): string[] {
  const again = `${pluralize(issued_again, 'earlier credential')} issued by a step`;
  const instead = `${pluralize(invalid, 'unknown credential')} replaced by an invalid one`;
  return [...(issued_again > 0 ? [again] : []), ...(invalid > 0 ? [instead] : [])];
}

function summaryOf(recorded: Recorded, left_out: readonly Reason[], missing: number): string {
  const { requests, rejections } = countsOf(recorded.scenario);
  const parts = [
    `${pluralize(requests, 'request')}, ${pluralize(rejections, 'expected rejection')}`,
    'without secrets',
    ...earlierInWords(recorded),
  ];
  const gone =
    missing > 0 ? [`${pluralize(missing, 'exchange')} that did not fit in this file`] : [];
  const words = [...reasonsInWords(left_out), ...gone];
  return words.length === 0
    ? parts.join('; ')
    : `${parts.join('; ')}; omitted: ${words.join(', ')}`;
}

/** The exchanges that can be steps, with decisions about devices, and why the others are omitted. */
function eventsOf(exchanges: readonly Exchange[], sandbox: Sandbox) {
  const reasonOf = createOmissions(sandbox, exchanges);
  const devices = createDevices();
  const left_out: Reason[] = [];
  const events = exchanges.flatMap((exchange): RecordedEvent[] => {
    const decision = devices.decidedAt(exchange);
    if (decision !== null) return [decision];
    const reason = reasonOf(exchange);
    if (reason === null) {
      return [...devices.decidedBefore(exchange), { kind: 'exchange', exchange, verdict: null }];
    }
    left_out.push(reason);
    return [];
  });
  return { events, left_out };
}

/** @throws Error when none of the exchanges can be a step */
export function recordTraffic({ name, exchanges, sandbox, missing = 0 }: Traffic): RecordedTraffic {
  const { events, left_out } = eventsOf(exchanges, sandbox);
  if (!events.some((event) => exchangeOf(event) !== null)) {
    const words = reasonsInWords(left_out).join(', ') || 'none is still stored';
    throw new Error(`None of these exchanges can be a step of a scenario: ${words}.`);
  }
  const recorded = record({ name, events, sandbox, with_workspace: true, whole: false });
  const summary = summaryOf(recorded, left_out, missing);
  const { workspace, steps, ...head } = recorded.scenario;
  const description = `Recorded from ${pluralize(exchanges.length, 'exchange')}: ${summary}.`;
  const rest = workspace === undefined ? { steps } : { workspace, steps };
  return { scenario: { ...head, description, ...rest }, summary };
}

/** The reasons for omitting an exchange, in singular and plural. */
const REASONS = {
  preflight: ['CORS preflight', 'CORS preflights'],
  metadata: ['request for metadata or keys', 'requests for metadata or keys'],
  health: ['health check', 'health checks'],
  page: ['request for a page in the browser', 'requests for pages in the browser'],
  registration: ['registration of a client', 'registrations of clients'],
  other_path: [
    'request to a path that is not an endpoint of Grantbench',
    'requests to paths that are not endpoints of Grantbench',
  ],
  assertion: [
    'request signed with a key that only the app has',
    'requests signed with a key that only the app has',
  ],
  cut: [
    'request whose body was only partly stored',
    'requests whose bodies were only partly stored',
  ],
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
type Reason = keyof typeof REASONS;

type Registered = Pick<Sandbox, 'clients' | 'settings'>;

const pathOf = ({ path }: Exchange): string => path.split('?', 1)[0] ?? '';

function ofPath(exchange: Exchange): Reason | null {
  const path = pathOf(exchange);
  if (exchange.method === 'OPTIONS') return 'preflight';
  switch (exchange.endpoint) {
    case 'jwks':
    case 'metadata':
    case 'resource_metadata':
      return 'metadata';
    case 'logout':
      return 'page';
    case 'register':
      return 'registration';
    case null:
      if (path === '/') return 'page';
      return HEALTH_PATHS.includes(path) ? 'health' : 'other_path';
    default:
      return null;
  }
}

/** Whether only the beginning of the body was captured. */
const isCut = ({ request }: Exchange): boolean =>
  request.body_encoding === 'utf8' &&
  new TextEncoder().encode(request.body).length < request.body_bytes;

/** The endpoints whose steps sign the assertion of a client. */
const SIGNED_AGAIN: readonly Exchange['endpoint'][] = ['token', 'device_authorization', 'par'];

/** Whether a run can sign the client's assertion with a key of its own. */
function isSignedAgain(exchange: Exchange, clients: readonly Client[]): boolean {
  const { why, client_id, status } = exchange;
  const isRejected = why?.check === 'client_secret' || why?.check === 'authorization_header';
  const client = clients.find((one) => one.client_id === client_id);
  return (
    SIGNED_AGAIN.includes(exchange.endpoint) &&
    !isRejected &&
    !(isPush(exchange) && status !== 201) &&
    client !== undefined &&
    client.jwks_uri === undefined
  );
}

/**
 * Whether a run cannot send the request, because the client signed it with its own key: an assertion for a user, or a
 * rejected assertion or request object. A run signs correct ones with a key of its own.
 */
export const isSigned = (exchange: Exchange, clients: readonly Client[]): boolean => {
  const names = fieldNames(exchange);
  return (
    (names.includes('client_assertion') && !isSignedAgain(exchange, clients)) ||
    names.includes('assertion') ||
    exchange.why?.check === 'request_object'
  );
};

const fieldNames = ({ request }: Exchange): readonly string[] => Object.keys(bodyFields(request));

/** Whether the response to prompt=none depended on a browser session (OpenID Connect Core 3.1.2.6). */
const isSilent = (exchange: Exchange): boolean =>
  isAuthorizeLink(exchange) &&
  queryParameters(exchange).get('prompt') === 'none' &&
  exchange.error !== null &&
  exchange.error !== 'login_required';

/** What the throttle counts by: the credential, or the client for a grant without one. */
const countedBy = (exchange: Exchange): string | null =>
  presentedIn(exchange)[0]?.value ?? exchange.client_id;

/** Whether the recording contains enough requests with the same credential to fill the window. */
function isThrottledHere(
  exchange: Exchange,
  before: readonly Exchange[],
  { clients, settings }: Registered,
): boolean {
  const own = clients.find(({ client_id }) => client_id === exchange.client_id)?.throttle ?? null;
  const counted = before.filter(
    (other) => !other.throttled && countedBy(other) === countedBy(exchange),
  );
  return counted.length >= (own ?? settings.throttle).limit;
}

/** Returns a function that takes the exchanges of a recording, oldest first, and returns why one is omitted. */
function createOmissions(sandbox: Registered, exchanges: readonly Exchange[]) {
  const { clients } = sandbox;
  const followed = new Set(
    exchanges.filter(isAuthorizeLink).map((link) => queryParameters(link).get('request_uri')),
  );
  /** The assertion of a push is signed again by the step of its authorization. */
  const isUnusedPush = (exchange: Exchange): boolean =>
    isPush(exchange) &&
    fieldNames(exchange).includes('client_assertion') &&
    !followed.has(requestUriOf(exchange));
  const kept: Exchange[] = [];
  const forms = new Set<string>();
  const pushed = new Set<string>();

  const ofAuthorization = (exchange: Exchange): Reason | null => {
    const form = formIn(exchange);
    if (isRejectedForm(exchange)) return 'page';
    if (form !== null) return forms.has(form) ? null : 'earlier';
    const sent = isAuthorizeLink(exchange) ? queryParameters(exchange).get('request_uri') : null;
    const isKnown = sent === null || exchange.error !== null || pushed.has(sent);
    return isKnown ? null : 'earlier';
  };
  const ofClient = ({ client_id, error }: Exchange): Reason | null => {
    const isRegistered = clients.some((client) => client.client_id === client_id);
    return client_id === null || error !== null || isRegistered ? null : 'client';
  };
  const reasonOf = (exchange: Exchange): Reason | null => {
    const ofAll = ofPath(exchange) ?? ofAuthorization(exchange) ?? ofClient(exchange);
    if (ofAll !== null) return ofAll;
    if (exchange.endpoint === 'device') return 'page';
    if (isCut(exchange)) return 'cut';
    if (isSigned(exchange, clients) || isUnusedPush(exchange)) return 'assertion';
    if (isSilent(exchange)) return 'session';
    return exchange.throttled && !isThrottledHere(exchange, kept, sandbox) ? 'throttled' : null;
  };
  return (exchange: Exchange): Reason | null => {
    const reason = reasonOf(exchange);
    if (reason !== null) return reason;
    kept.push(exchange);
    if (exchange.sign_in !== null) forms.add(exchange.sign_in.form);
    const request_uri = requestUriOf(exchange);
    if (request_uri !== null) pushed.add(request_uri);
    return null;
  };
}

/** `1 CORS preflight`, `2 reads of metadata or keys` */
function reasonsInWords(reasons: readonly Reason[]): string[] {
  return [...new Set(reasons)].map((reason) => {
    const [one, many] = REASONS[reason];
    return pluralize(reasons.filter((other) => other === reason).length, one, many);
  });
}

interface Device {
  readonly user_code: string;
  decided: boolean;
}

/** A user code as it is compared: ignoring case and separators (RFC 8628 6.1). */
const bare = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const subIn = (token: string): string | null => {
  const sub = decodeJwt(token)?.payload['sub'];
  return typeof sub === 'string' ? sub : null;
};

function createDevices() {
  const devices = new Map<string, Device>();

  const decision = (
    device: Device,
    { clock, client_id }: Exchange,
    decided: Pick<DeviceDecision, 'decision' | 'sub' | 'scope'>,
  ): DeviceDecision => {
    device.decided = true;
    const { user_code } = device;
    return { kind: 'decision', at: clock.now, user_code, client_id: client_id ?? '', ...decided };
  };

  return {
    /** The decision that a request to the device page makes; null for other requests. */
    decidedAt: (exchange: Exchange): DeviceDecision | null => {
      const { method, endpoint, status, error, request } = exchange;
      const fields = new URLSearchParams(bodyText(request));
      if (method !== 'POST' || endpoint !== 'device' || !fields.has(FORM_FIELD)) return null;
      if (status !== 200 || error !== null) return null;
      const typed = bare(fields.get('user_code') ?? '');
      const device = [...devices.values()].find(({ user_code }) => bare(user_code) === typed);
      if (device === undefined) return null;
      const approved = fields.get('decision') === 'approve';
      const scope = approved ? fields.getAll('scope').join(' ') : '';
      const sub = approved ? fields.get('typed_sub')?.trim() || fields.get('sub') : null;
      return decision(device, exchange, { decision: approved ? 'approve' : 'deny', sub, scope });
    },
    /** The decision that must have preceded this response to a poll. */
    decidedBefore: (exchange: Exchange): DeviceDecision[] => {
      const asked = deviceOf(exchange);
      if (asked !== null) {
        devices.set(asked.device_code, { user_code: asked.user_code, decided: false });
      }
      const [code] = presentedIn(exchange).filter(({ kind }) => kind === 'device_code');
      const device = devices.get(code?.value ?? '');
      if (device === undefined || device.decided) return [];
      const answer = tokenAnswerOf(exchange);
      if (answer !== null) {
        const scope = parseJsonObject(bodyText(exchange.response))?.['scope'];
        const granted = decodeJwt(answer.access_token)?.payload['scope'] ?? scope;
        const sub = subIn(answer.id_token ?? answer.access_token) ?? subIn(answer.access_token);
        return [
          decision(device, exchange, {
            decision: 'approve',
            sub,
            scope: typeof granted === 'string' ? granted : '',
          }),
        ];
      }
      if (exchange.why?.reason !== 'device_denied') return [];
      return [decision(device, exchange, { decision: 'deny', sub: null, scope: '' })];
    },
  };
}
