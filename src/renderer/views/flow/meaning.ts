// What a step does, and what an exchange means, in one sentence. Pure.

import type { Client, Exchange } from '../../../control/schemas.ts';
import {
  claimsOf,
  faultWords,
  type Granted,
  grantedIn,
  isRejected,
  ISSUED_WORDS,
} from '../../exchange/answer.ts';
import { enumerated, pluralize } from '../../../words.ts';
import { statusWords } from '../../ui/status.tsx';
import type { StepOutcome } from './flow-state.ts';
import { WALK_STEPS, WALKS, type WalkGrant, type WalkStepId } from '../../../scenario/walks.ts';
import type { Party } from '../../sending/chosen-party.ts';
import { isPossible, type AuthorizeWay } from './flow-document.ts';

const WAY_HINTS = {
  person: 'You sign in, in your browser',
  control: 'Issued directly, without a sign-in',
} as const;

/** Why a step is skipped; null when it is run. */
export const reasonNotRun = (id: WalkStepId, choice: Pick<Party, 'client'>): string | null =>
  isPossible(id, choice) ? null : 'Not run: this client may not use the refresh_token grant';

/** What the step will do, shown until it has run. */
export const hintOf = (id: WalkStepId, way: AuthorizeWay): string =>
  id === 'code' && way !== 'browser' ? WAY_HINTS[way] : WALK_STEPS[id].about;

/** Why there is no client to continue with. */
export const noClientInWords = (grant: WalkGrant, registered: number): string =>
  registered === 0
    ? 'No client is registered'
    : `No client may use the grant “${WALKS[grant].title}”. Allow it for a client, or register one.`;

/** @param missing the client_id of the picked client if it is not registered, so that another one is used */
export function clientInWords(
  { client_name, redirect_uris }: Client,
  missing: string | null = null,
): string {
  if (missing !== null) return `${missing} is not registered; this client is used instead`;
  const uris = pluralize(redirect_uris.length, 'redirect URI');
  return `${client_name || 'No name'} · ${uris}`;
}

function codeMeaning(granted: Granted | null): string {
  const end = 'The browser returns the code to the callback.';
  if (granted === null) return `A code was issued. ${end}`;
  const { sub, how, on_page } = granted;
  if (on_page) return `${sub} signed in and approved. ${end}`;
  return `No page was shown${how === null ? '' : ` (${how})`}. A code for ${sub} was issued. ${end}`;
}

/** Returns null where the status needs no explanation. */
export function meaningOf(exchange: Exchange): string | null {
  const { endpoint, sign_in, issued, trace, status, advisory_notes } = exchange;
  const [advice] = advisory_notes;
  if (advice !== undefined) return advice.text;
  if (sign_in !== null) return 'The browser shows the sign-in page and waits for a user.';
  if (issued.some(({ kind }) => kind === 'code')) {
    return codeMeaning(grantedIn(exchange));
  }
  const passed = trace.filter(({ verdict }) => verdict === 'passed').length;
  const checks = passed === 0 ? '' : ` All ${pluralize(passed, 'check')} passed.`;
  if (issued.length > 0) {
    return `The app received ${enumerated(issued.map(({ kind }) => ISSUED_WORDS[kind]))}.${checks}`;
  }
  if (endpoint === 'metadata') return 'The app read the metadata, which lists the endpoints.';
  if (endpoint === 'jwks') return 'The app read the JWK Set, whose keys verify tokens.';
  if (endpoint === 'resource_metadata') {
    return 'The app read the metadata of a protected API, which names its authorization server.';
  }
  if (status === 404 && endpoint === null) return 'There is no endpoint at this path.';
  return checks === '' ? null : checks.trim();
}

export function apiOutcome(exchange: Exchange): StepOutcome {
  const badge = statusWords(exchange.status);
  const { fault, cause, error } = exchange;
  if (fault !== null) return { status: 'rejected', badge, text: faultWords(fault) };
  if (isRejected(exchange)) return { status: 'rejected', badge, text: cause ?? error };
  const claims = claimsOf(exchange);
  if (typeof claims?.sub !== 'string') return { status: 'ok', badge, text: null };
  const more = Object.keys(claims).length - 1;
  const others = more === 0 ? '' : ` · ${pluralize(more, 'more claim')}`;
  return { status: 'ok', badge, text: `sub ${claims.sub}${others}` };
}
