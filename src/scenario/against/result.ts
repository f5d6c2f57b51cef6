// Makes the result of a scenario at a provider by comparing its responses with the scenario's expectations, or with
// the responses of a sandbox, which are then the expected ones. A response is described by names and types of members
// and claims, and only by values that show a server's behaviour, so that it can be compared and printed without
// tokens or personal data.

import type { Difference } from '../comparison.ts';
import type { ParsedScenario } from '../parse.ts';
import {
  type ComparedValue,
  redacted,
  type ScenarioResult,
  type StepFailure,
  type StepResult,
  verdictOf,
} from '../runner/run-steps.ts';
import type { HttpAnswer } from '../runner/scenario-sandbox.ts';
import { titleOf } from '../actions/index.ts';
import type { Plan } from './plan.ts';
import { redirectParameters } from '../../oauth/fields.ts';
import { isJsonObject, type JsonObject, jsonOrText } from '../../json.ts';
import { decodeJwt } from '../../oauth/jwt.ts';

/** The described member, such as `body.expires_in`, with its description. */
type Profile = ReadonlyMap<string, string>;

const DEEPEST = 4;
const MOST_ENTRIES = 500;
const LONGEST_NAME = 100;

/** Members compared by value: protocol words, and lifetimes in seconds. */
const BY_VALUE: readonly string[] = ['error', 'token_type', 'expires_in', 'interval', 'active'];
const HEADER_BY_VALUE: readonly string[] = ['alg', 'typ'];
/** Headers that clients read are compared by value, others only by presence. */
const HEADERS_BY_VALUE = ['cache-control', 'pragma', 'allow'] as const;
const HEADERS_BY_NAME = ['retry-after', 'dpop-nonce'] as const;

/** Other texts are not protocol words and may contain anything. */
const WORD = /^[\w .,:+/=;-]{1,64}$/;

function kindOfArray(values: readonly unknown[]): string {
  const kinds = values
    .slice(0, MOST_ENTRIES)
    .map((value) => (Array.isArray(value) ? 'an array' : kindOf(value)));
  const found = [...new Set(kinds)].sort();
  return found.length === 0 ? 'an empty array' : `an array of: ${found.join(', ')}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return kindOfArray(value);
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return decodeJwt(value) === null ? 'a string' : 'a JWT';
  return typeof value === 'boolean' ? 'true or false' : 'a number';
}

function valueOrKind(value: unknown): string {
  const plain = typeof value === 'number' || typeof value === 'boolean';
  return plain || (typeof value === 'string' && WORD.test(value))
    ? JSON.stringify(value)
    : kindOf(value);
}

class Entries {
  readonly found = new Map<string, string>();

  add(what: string, description: string): void {
    if (this.found.size < MOST_ENTRIES) this.found.set(what, description);
  }
}

function addMembers(
  to: Entries,
  at: string,
  members: JsonObject,
  byValue: readonly string[],
  depth = 1,
): void {
  for (const [name, value] of Object.entries(members).slice(0, MOST_ENTRIES)) {
    const what = `${at}.${name.slice(0, LONGEST_NAME)}`;
    if (isJsonObject(value) && depth < DEEPEST) addMembers(to, what, value, [], depth + 1);
    else to.add(what, byValue.includes(name) ? valueOrKind(value) : kindOf(value));
  }
}

/** Adds the claims of a JWT, its header parameters, and the seconds from `iat` to `exp`. */
function addToken(to: Entries, name: string, token: unknown): void {
  const jwt = typeof token === 'string' ? decodeJwt(token) : null;
  if (jwt === null) return;
  const { header, payload } = jwt;
  addMembers(to, `${name}.header`, header, HEADER_BY_VALUE);
  addMembers(to, `${name}.claims`, payload, []);
  const seconds = Number(payload['exp']) - Number(payload['iat']);
  if (Number.isFinite(seconds)) to.add(`${name}.lifetime`, `${seconds} s`);
}

function addBody(to: Entries, text: string): void {
  if (text === '') return;
  const body = jsonOrText(text);
  if (!isJsonObject(body)) {
    to.add('body', kindOf(body));
    return;
  }
  addMembers(to, 'body', body, BY_VALUE);
  for (const name of ['access_token', 'id_token', 'refresh_token']) addToken(to, name, body[name]);
}

/** Returns the scheme and the error of a challenge (RFC 6750 3). */
function challengeOf(header: string): string {
  const [scheme = ''] = header.split(' ', 1);
  const [, error] = /\berror="?([\w.-]{1,64})/.exec(header) ?? [];
  const challenge = [scheme, error].filter((word) => word !== undefined).join(' ');
  return WORD.test(challenge) ? challenge : 'a challenge';
}

function addHeaders(to: Entries, headers: HttpAnswer['headers']): void {
  const textOf = (name: string) => {
    const value = headers[name];
    return value === undefined ? undefined : [value].flat().join(', ');
  };
  const type = textOf('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== undefined) to.add('headers.content-type', WORD.test(type) ? type : 'a media type');
  for (const name of HEADERS_BY_VALUE) {
    const value = textOf(name)?.toLowerCase();
    if (value !== undefined) to.add(`headers.${name}`, WORD.test(value) ? value : 'a text');
  }
  for (const name of HEADERS_BY_NAME) {
    if (textOf(name) !== undefined) to.add(`headers.${name}`, 'present');
  }
  const challenge = textOf('www-authenticate');
  if (challenge !== undefined) to.add('headers.www-authenticate', challengeOf(challenge));
}

/** Adds the names of the redirect's parameters, and its error. */
function addRedirect(to: Entries, location: string): void {
  if (!URL.canParse(location)) {
    to.add('redirect', 'a path');
    return;
  }
  const parameters = Object.fromEntries(redirectParameters(location));
  addMembers(to, 'redirect', parameters, ['error']);
}

/** @param redirectOnly whether only the redirect is known, as after a browser sign-in */
export function profileOf({ status, headers, text }: HttpAnswer, redirectOnly = false): Profile {
  const entries = new Entries();
  const { location } = headers;
  if (!redirectOnly) {
    entries.add('status', status === 0 ? 'no response' : String(status));
    addHeaders(entries, headers);
  }
  if (location !== undefined) addRedirect(entries, [location].flat()[0] ?? '');
  if (!redirectOnly) addBody(entries, text);
  return entries.found;
}

/** A run of the sent steps, with the last response to each. */
interface AnsweredRun {
  readonly result: ScenarioResult;
  readonly answers: ReadonlyMap<number, HttpAnswer>;
}

type Hide = (text: string) => string;

interface BothRuns {
  readonly sandbox: AnsweredRun;
  readonly provider: AnsweredRun;
  /** Redacts the secrets of the run, which a provider may repeat in its responses. */
  readonly hide: Hide;
  /** Redacts them in names of members; long names may look like tokens. */
  readonly hideInName: Hide;
}

const NOTHING = 'nothing';

/** Returns all entries that either of them has. */
export function valuesOf(sandbox: Profile, provider: Profile): ComparedValue[] {
  const all = [...sandbox.keys(), ...[...provider.keys()].filter((what) => !sandbox.has(what))];
  return all.map((what) => ({
    what,
    sandbox: sandbox.get(what) ?? null,
    provider: provider.get(what) ?? null,
  }));
}

/** Returns a difference for each entry that only one has or that differs. */
export const differencesIn = (values: readonly ComparedValue[]): Difference[] =>
  values
    .filter(({ sandbox, provider }) => sandbox !== provider)
    .map(({ what, sandbox, provider }) => ({
      what,
      expected: sandbox ?? NOTHING,
      got: provider ?? NOTHING,
    }));

const differ = (count: number) =>
  count === 1 ? "1 value differs from the sandbox's" : `${count} values differ from the sandbox's`;

const redirects = ({ headers }: HttpAnswer) => headers['location'] !== undefined;

/** Returns the compared values; empty if either has not responded. */
function compared(at: number, isSignIn: boolean, runs: BothRuns): ComparedValue[] {
  const [ours, theirs] = [runs.sandbox.answers.get(at), runs.provider.answers.get(at)];
  if (ours === undefined || theirs === undefined) return [];
  const redirectOnly = isSignIn && redirects(ours) && redirects(theirs);
  const values = valuesOf(profileOf(ours, redirectOnly), profileOf(theirs, redirectOnly));
  return values.map(({ what, sandbox, provider }) => ({
    what: runs.hideInName(what),
    sandbox,
    provider: provider === null ? null : runs.hide(provider),
  }));
}

function differing(values: readonly ComparedValue[]): StepFailure | null {
  const differences = differencesIn(values);
  if (differences.length === 0) return null;
  return { message: differ(differences.length), differences, exchange: null, about: null };
}

/** Returns the failure of a step that got no response from one of them. */
function endOf(at: number, { sandbox, provider }: BothRuns): StepFailure | null {
  const there = provider.result.steps[at]?.failure ?? null;
  if (there !== null) return { ...there, message: `At the provider: ${there.message}` };
  const here = sandbox.result.steps[at]?.failure ?? null;
  return here === null ? null : { ...here, message: `In the sandbox: ${here.message}` };
}

function comparedStep(at: number, isSignIn: boolean, runs: BothRuns): StepResult | undefined {
  const [ours, theirs] = [runs.sandbox.result.steps[at], runs.provider.result.steps[at]];
  const unsent = [theirs, ours].find((step) => step?.verdict === 'skipped');
  if (ours === undefined || unsent !== undefined) return unsent;
  const values = compared(at, isSignIn, runs);
  // Differences first, because they explain why a response had no value for the next step.
  const failure = differing(values) ?? endOf(at, runs);
  return { ...ours, verdict: failure === null ? 'passed' : 'failed', failure, compared: values };
}

/** Redacts the secrets of the scenario in a step, including those in expectations. */
function hiddenStep(step: StepResult | undefined, hide: Hide): StepResult | undefined {
  if (step === undefined) return undefined;
  const { title, failure } = step;
  const hidden = failure === null ? null : redacted(failure, hide);
  return { ...step, title: hide(title), failure: hidden };
}

/** Returns all steps of the scenario in order, sent and unsent. If none was sent, the first one has failed. */
function withSkipped(
  parsed: ParsedScenario,
  plan: Plan,
  hide: Hide,
  resultAt: (at: number, index: number) => StepResult | undefined,
): readonly StepResult[] {
  return parsed.scenario.steps.map((step, index) => {
    const sent = resultAt(plan.sent.indexOf(index), index);
    if (sent !== undefined) return sent;
    const why_skipped = plan.skipped.get(index) ?? '';
    const at = { title: hide(titleOf(step)), ...parsed.placeOfStep(index) };
    if (index === 0 && plan.sent.length === 0) {
      return { ...at, verdict: 'failed', failure: nothingSent(why_skipped) };
    }
    return { ...at, verdict: 'skipped', failure: null, why_skipped };
  });
}

/** The failure of the first step if no step can be sent. A report of only skipped steps would pass in a CI server. */
const nothingSent = (why: string): StepFailure => ({
  message: `No step of the scenario can be sent to the provider. This step: ${why}`,
  differences: [],
  exchange: null,
  about: null,
});

/** @param provider the run of the sent steps @param hide redacts the secrets of the scenario */
export function expectedResult(
  parsed: ParsedScenario,
  plan: Plan,
  provider: ScenarioResult,
  hide: Hide,
): ScenarioResult {
  const steps = withSkipped(parsed, plan, hide, (at) => hiddenStep(provider.steps[at], hide));
  return { ...provider, verdict: verdictOf(steps), steps };
}

/** @param hide redacts the secrets of the scenario in the titles of steps that were not sent */
export function comparisonResult(
  parsed: ParsedScenario,
  plan: Plan,
  runs: BothRuns,
  hide: Hide,
): ScenarioResult {
  const steps = withSkipped(parsed, plan, hide, (at, index) =>
    comparedStep(at, parsed.scenario.steps[index]?.authorize !== undefined, runs),
  );
  const { provider, sandbox } = runs;
  return {
    ...provider.result,
    verdict: verdictOf(steps),
    duration_ms: (sandbox.result.duration_ms ?? 0) + (provider.result.duration_ms ?? 0),
    steps,
  };
}
