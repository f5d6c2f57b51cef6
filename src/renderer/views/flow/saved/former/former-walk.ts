// A saved flow of an earlier version walked through again on paper: the requests that each of its steps
// sent, as events of the flow that the recorder can write down.

import type { Client } from '../../../../../control/schemas.ts';
import { credentialsOf } from '../../../../../oauth/client-authentication.ts';
import {
  authorizeFields,
  authorizeRequest,
  userinfoRequest,
} from '../../../../../oauth/endpoint-requests.ts';
import type { Fields, HttpRequest } from '../../../../../oauth/fields.ts';
import {
  exchangeFields,
  refreshFields,
  TOKEN_PATH,
  tokenRequest,
} from '../../../../../oauth/token-request.ts';
import type { PkceChallenge, PkcePair } from '../../../../../oauth/pkce.ts';
import type { FlowEvent } from '../../flow-state.ts';
import { WITHOUT_PROOFS, type Material, type Mistake } from '../../mistakes/mistake.ts';
import { findMistake, isBreakable, type BreakableStep } from '../../mistakes/by-step.ts';
import { STEP_TITLES } from '../../step-words.ts';
import type { FormerEntry, FormerFlow, FormerStep } from './former-flow.ts';
import {
  STAND_IN_PKCE,
  standIn,
  standInExchange,
  standInToken,
  type StandInAnswer,
} from './stand-ins.ts';

/** What it cannot be converted for, in a sentence. */
export class NotConvertible extends Error {}

type Came = NonNullable<FormerEntry['came']>;

export interface FormerParty {
  readonly client: Client;
  /** Another one with a secret; null when there is none. */
  readonly other: Client | null;
  readonly issuer: string;
}

interface Walk extends FormerParty {
  readonly inputs: FormerFlow['inputs'];
  readonly pkce: PkcePair | null;
  readonly redirect_uri: string;
  readonly audience: string;
  readonly events: FlowEvent[];
  /** The answer expected of each request, in order; null where none was saved. */
  readonly answers: (Came | null)[];
  code: string | null;
  access_token: string | null;
  refresh_token: string | null;
}

const GOOD: Came = { status: 200, error: null };
const AT = '2000-01-01T00:00:00.000Z';
const isGood = ({ status, error }: Came) => status < 400 && status > 0 && error === null;

const titled = (step: FormerStep, mistake: string) => `“${STEP_TITLES[step]}” with “${mistake}”`;

function startWalk({ inputs }: FormerFlow, party: FormerParty): Walk {
  const { client, issuer } = party;
  return {
    ...party,
    inputs,
    pkce: inputs.pkce || client.client_secret === null ? STAND_IN_PKCE : null,
    redirect_uri: inputs.redirect_uri ?? client.redirect_uris[0] ?? '',
    audience: inputs.audience ?? client.default_audience ?? issuer,
    events: [],
    answers: [],
    code: null,
    access_token: null,
    refresh_token: null,
  };
}

const nextOf = ({ events }: Walk) => events.length + 1;

/** @param came null when the step was not saved by itself, but done for a later one */
function send(
  walk: Walk,
  step: FormerStep,
  request: HttpRequest,
  came: Came | null,
  answer: Omit<StandInAnswer, 'came'> = {},
): void {
  const { client, other, events, answers } = walk;
  const id = nextOf(walk);
  const byOther = request.body?.includes(other?.client_secret ?? client.client_id) === true;
  const sender = (byOther ? other : null) ?? client;
  const exchange = standInExchange(id, sender.client_id, request, {
    came: came ?? GOOD,
    ...answer,
  });
  answers.push(came);
  events.push({ id, kind: 'exchange', step, exchange, verdict: null });
}

const authorization = (walk: Walk, challenge: PkceChallenge | null): Fields =>
  authorizeFields({
    client_id: walk.client.client_id,
    redirect_uri: walk.redirect_uri,
    scope: walk.inputs.scope.trim(),
    audience: walk.audience,
    state: 'scenario',
    challenge,
    login_hint: walk.inputs.sub ?? '',
  });

/** Straight to the redirect: a step signs in by itself where it is asked to. */
function authorize(walk: Walk, came: Came | null): void {
  const request = authorizeRequest(authorization(walk, walk.pkce?.challenge ?? null));
  const code = came === null || isGood(came) ? standIn('code', nextOf(walk)) : null;
  const headers: [string, string][] =
    code === null ? [] : [['location', `${walk.redirect_uri}?code=${code}`]];
  send(walk, 'code', request, came, { headers });
  walk.code = code;
}

function issue(walk: Walk): void {
  const { client, inputs, redirect_uri, audience, pkce, events } = walk;
  const scope = inputs.scope.trim();
  const request = {
    client_id: client.client_id,
    redirect_uri,
    ...(inputs.sub === null ? {} : { sub: inputs.sub }),
    ...(audience === '' ? {} : { audience }),
    ...(scope === '' ? {} : { scope }),
    ...pkce?.challenge,
  };
  const id = nextOf(walk);
  const code = standIn('code', id);
  const unknown = { sub: '', redirect_to: '', expires_at: '', lineage_id: '' };
  events.push({ id, kind: 'issue', at: AT, request, code, ...unknown });
  walk.code = code;
}

function getCode(walk: Walk, came: Came | null): void {
  if (walk.inputs.authorize === 'browser') authorize(walk, came);
  else issue(walk);
}

const exchangeMembers = ({ client, code, inputs, redirect_uri, audience, issuer, pkce }: Walk) =>
  exchangeFields({
    ...credentialsOf(client),
    code: code ?? '',
    redirect_uri: inputs.exchange_redirect_uri ?? redirect_uri,
    audience: inputs.exchange_audience ?? (audience || issuer),
    code_verifier: pkce?.verifier ?? null,
  });

const refreshMembers = ({ client, refresh_token, inputs }: Walk) =>
  refreshFields({
    ...credentialsOf(client),
    refresh_token: refresh_token ?? '',
    scope: inputs.refresh_scope,
  });

/** Takes over the tokens of a good answer, and returns its body. */
function takeTokens(walk: Walk, step: FormerStep, came: Came | null): { body?: string } {
  if (came !== null && (came.status !== 200 || came.error !== null)) return {};
  const { client } = walk;
  const access_token = standInToken(client.client_id, nextOf(walk));
  walk.access_token = access_token;
  if (step !== 'exchange') return { body: JSON.stringify({ access_token }) };
  const refresh_token = standIn('refresh_token', nextOf(walk));
  walk.refresh_token = refresh_token;
  walk.code = null;
  return { body: JSON.stringify({ access_token, refresh_token }) };
}

function haveCode(walk: Walk): void {
  if (walk.code === null) getCode(walk, null);
}

function exchangeCode(walk: Walk, came: Came | null): void {
  haveCode(walk);
  const request = tokenRequest(exchangeMembers(walk), { format: walk.inputs.exchange_format });
  send(walk, 'exchange', request, came, takeTokens(walk, 'exchange', came));
}

function haveTokens(walk: Walk): void {
  if (walk.access_token === null) exchangeCode(walk, null);
}

const STEPS: Record<FormerStep, (walk: Walk, came: Came | null) => void> = {
  client: () => undefined,
  code: getCode,
  exchange: exchangeCode,
  token: (walk, came) => {
    haveTokens(walk);
    send(walk, 'token', { method: 'GET', path: '/.well-known/jwks.json', headers: {} }, came);
  },
  refresh: (walk, came) => {
    haveTokens(walk);
    const request = tokenRequest(refreshMembers(walk), { format: walk.inputs.refresh_format });
    send(walk, 'refresh', request, came, takeTokens(walk, 'refresh', came));
  },
  api: (walk, came) => {
    haveTokens(walk);
    const request = userinfoRequest(walk.access_token ?? '', walk.inputs.api_token_in);
    send(walk, 'api', request, came, { body: '{}' });
  },
  hammer: () => {
    throw new NotConvertible(
      `“${STEP_TITLES.hammer}” sends as many requests as the throttle settings allow`,
    );
  },
};

type FormerBreakable = FormerStep & BreakableStep;

const isFormerBreakable = (step: FormerStep): step is FormerBreakable => isBreakable(step);

/** What a step needs before it can go wrong, and the fields it would send. */
const BREAKABLE: Record<FormerBreakable, (walk: Walk) => Fields> = {
  code: (walk) => authorization(walk, STAND_IN_PKCE.challenge),
  exchange: (walk) => {
    haveCode(walk);
    return exchangeMembers(walk);
  },
  refresh: (walk) => {
    haveTokens(walk);
    return refreshMembers(walk);
  },
  api: (walk) => {
    haveTokens(walk);
    return [];
  },
};

function breakStep(walk: Walk, step: FormerBreakable, mistake: Mistake, came: Came | null): void {
  const what = titled(step, mistake.title);
  if (mistake.prepare !== undefined) {
    throw new NotConvertible(`${what} needs requests before it that were not saved`);
  }
  const { inputs, other } = walk;
  const fields = BREAKABLE[step](walk);
  const material: Material = {
    fields,
    credentials: credentialsOf(walk.client),
    format: step === 'refresh' ? inputs.refresh_format : inputs.exchange_format,
    other_client: other,
    other_audience: 'https://nobody.example/unregistered',
    access_token: walk.access_token,
    refresh_token: walk.refresh_token,
    former_token: null,
    path: TOKEN_PATH,
    device: null,
    spoilt: null,
    form: null,
    user_has_password: false,
    dpop: WITHOUT_PROOFS,
    frozen: false,
    mode: 'consent',
  };
  const blocked = mistake.blocked?.(material) ?? null;
  if (blocked !== null) throw new NotConvertible(`${what} cannot be written now: ${blocked}`);
  const request = mistake.build(material);
  const bringsTokens = step === 'exchange' || step === 'refresh';
  send(walk, step, request, came, bringsTokens ? takeTokens(walk, step, came) : {});
}

const SENDS_NOTHING: readonly FormerStep[] = ['client', 'code', 'hammer'];

function repeat(walk: Walk, { step, mistake: id, came }: FormerEntry): void {
  if (came === null && !SENDS_NOTHING.includes(step)) {
    throw new NotConvertible(`“${STEP_TITLES[step]}” had sent nothing when it was saved`);
  }
  if (id === null) {
    STEPS[step](walk, came);
    return;
  }
  const mistake = isFormerBreakable(step) ? findMistake(step, id) : null;
  if (mistake === null || !isFormerBreakable(step)) {
    throw new NotConvertible(`${titled(step, id)} is a mistake that this version does not know`);
  }
  breakStep(walk, step, mistake, came);
}

/** @throws NotConvertible */
export function walkThrough(
  flow: FormerFlow,
  party: FormerParty,
): Pick<Walk, 'events' | 'answers'> {
  const walk = startWalk(flow, party);
  for (const entry of flow.script) repeat(walk, entry);
  return walk;
}
