// Runs the steps of a session in its own sandbox and returns their normalized results, both for recording and for
// replaying.

import { Agent } from 'node:http';
import type { JWK } from 'jose';
import { writeDocument } from './corpus-files.ts';
import type { BytesStep, FeedStep, HttpStep, Outcome, Session, Step } from './document.ts';
import { exchangeRecord, type ExchangeView } from './exchange-record.ts';
import { listen } from './feed.ts';
import type { RawAnswer } from './http.ts';
import { sendBytes, sendRequest } from './http.ts';
import { readJwt, secretKey } from './jwts.ts';
import type { Normaliser } from './normalise.ts';
import { createNormaliser } from './normalise.ts';
import type { OpenSandbox } from './sandbox.ts';
import { CONTROL_TOKEN, openSandbox } from './sandbox.ts';
import type { Symbols } from './symbols.ts';
import { createSymbols } from './symbols.ts';
import { fillIn, saveFrom } from './variables.ts';

/** Seconds of machine time to wait for an exchange that is stored after its response is sent. */
const PATIENCE = 10;

interface Run {
  readonly opened: OpenSandbox;
  /** The connections for questions to control that are no steps. */
  readonly agent: Agent;
  readonly variables: Map<string, string>;
  readonly symbols: Symbols;
  readonly normaliser: Normaliser;
  /** Number of the newest exchange that was read. */
  seen: number;
}

const json = (answer: RawAnswer): unknown =>
  answer.body.length === 0 ? null : JSON.parse(answer.body.toString());

function askControl(run: Run, method: string, target: string): Promise<RawAnswer> {
  return sendRequest({
    port: Number(new URL(run.opened.running().control_url).port),
    method,
    target,
    headers: [`Authorization: Bearer ${CONTROL_TOKEN}`],
    body: null,
    ca: null,
    agent: run.agent,
  });
}

/** The new exchanges since the last call. @param wait seconds to wait for the first */
async function newExchanges(run: Run, wait: number): Promise<ExchangeView[]> {
  const path = `/api/exchanges?limit=1000&after=${run.seen}&wait_seconds=${wait}`;
  const { items } = json(await askControl(run, 'GET', path)) as {
    items: { readonly number: number }[];
  };
  const numbers = items.map(({ number }) => number).sort((a, b) => a - b);
  const views: ExchangeView[] = [];
  for (const number of numbers) {
    views.push(json(await askControl(run, 'GET', `/api/exchanges/${number}`)) as ExchangeView);
  }
  run.seen = Math.max(run.seen, ...numbers);
  return views;
}

function bodyOf(step: HttpStep, variables: ReadonlyMap<string, string>): Buffer | null {
  const { body, body_base64, json: value } = step;
  if (body_base64 !== undefined) return Buffer.from(body_base64, 'base64');
  if (body !== undefined) return Buffer.from(fillIn(body, variables));
  return value === undefined ? null : Buffer.from(fillIn(JSON.stringify(value), variables));
}

async function request(run: Run, step: HttpStep): Promise<RawAnswer> {
  const { opened, variables } = run;
  const toControl = step.control !== undefined;
  const [method = '', target = ''] = (step.control ?? step.http ?? '').split(/ (.*)/s);
  const { port, control_url } = opened.running();
  const controlPort = Number(new URL(control_url).port);
  const headers = (step.headers ?? []).map((line) => fillIn(line, variables));
  const authorized = headers.some((line) => /^authorization:/i.test(line));
  return sendRequest({
    port: toControl ? controlPort : port(),
    method,
    target: fillIn(target, variables),
    headers: [
      ...(toControl && !authorized ? [`Authorization: Bearer ${CONTROL_TOKEN}`] : []),
      ...(step.json === undefined ? [] : ['Content-Type: application/json']),
      // An empty Authorization means no header.
      ...headers.filter((line) => !/^authorization:\s*$/i.test(line)),
    ],
    body: bodyOf(step, variables),
    ca: toControl ? null : opened.ca,
  });
}

/** The prose of a response or a cause. */
function shown(answer: RawAnswer, exchanges: readonly ExchangeView[]) {
  const words: Record<string, string> = {};
  const text = answer.body.toString();
  const inBody = /"(?:error_description|message)":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  const location = answer.headers[answer.headers.indexOf('Location') + 1] ?? '';
  const inLocation = new URLSearchParams(location.split('?')[1]).get('error_description');
  const description = inBody ?? inLocation;
  // The port varies and is not part of the prose.
  if (description !== null) words['description'] = description.replace(/\b\d{5}\b/g, '<number>');
  for (const { number, cause } of exchanges) {
    if (cause !== null) words[exchanges.length === 1 ? 'cause' : `cause of ${number}`] = cause;
  }
  return words;
}

async function publicKeys(run: Run): Promise<Map<string, JWK>> {
  const answer = json(await askControl(run, 'GET', '/api/keys')) as {
    items: { readonly kid: string; readonly public_jwk: JWK | null }[];
  };
  const workspace = json(await askControl(run, 'GET', '/api/workspace')) as {
    clients?: { readonly client_id: string; readonly client_secret: string | null }[];
  };
  const keys = new Map<string, JWK>();
  for (const { kid, public_jwk } of answer.items) {
    if (public_jwk !== null) keys.set(`key ${run.symbols.write(kid)}`, public_jwk);
  }
  for (const key of run.opened.keys) {
    if (key.kty === 'oct') keys.set('the shared key of the workspace', key);
  }
  for (const { client_id, client_secret } of workspace.clients ?? []) {
    if (client_secret === null) continue;
    keys.set(`the secret of ${run.symbols.write(client_id)}`, secretKey(client_secret));
  }
  return keys;
}

async function readNewJwts(run: Run): Promise<Record<string, unknown>> {
  const read: Record<string, unknown> = {};
  for (let jwts = run.symbols.takeJwts(); jwts.length > 0; jwts = run.symbols.takeJwts()) {
    const keys = await publicKeys(run);
    for (const [name, jwt] of jwts) read[name] = run.normaliser.value(await readJwt(jwt, keys));
  }
  return read;
}

const isHttp = (step: Step): step is HttpStep =>
  !('feed' in step) && ('http' in step || 'control' in step);

/** The response with the exchanges since the last step. */
async function exchanged(run: Run, answer: RawAnswer, step: Step): Promise<Outcome> {
  // An exchange whose response has its number is already stored; others may be stored a little later.
  const numbered = answer.headers.includes('Grantbench-Exchange');
  const silent = isHttp(step) && (step.control !== undefined || step.uncaptured === true);
  const views = await newExchanges(run, numbered || silent ? 0 : PATIENCE);
  const only_length = isHttp(step) && step.only_length === true;
  const written = run.normaliser.answer(answer, only_length);
  const exchanges = views.map((view) => exchangeRecord(view, run.normaliser));
  const jwts = only_length ? {} : await readNewJwts(run);
  const says = Object.fromEntries(
    Object.entries(shown(answer, views)).map(([name, words]) => [name, run.symbols.write(words)]),
  );
  return {
    answer: written,
    ...(Object.keys(jwts).length === 0 ? {} : { jwts }),
    ...(exchanges.length === 0 ? {} : { exchanges }),
    ...(Object.keys(says).length === 0 ? {} : { says }),
  };
}

async function doBytes(run: Run, step: BytesStep): Promise<Outcome> {
  const bytes =
    step.encoding === 'base64'
      ? Buffer.from(step.bytes, 'base64')
      : Buffer.from(fillIn(step.bytes, run.variables));
  const { port } = run.opened.running();
  const answer = await sendBytes(port(), bytes, step.hang_up === true);
  return exchanged(run, answer, step);
}

async function doFeed(run: Run, step: FeedStep): Promise<Outcome> {
  const { control_url } = run.opened.running();
  const feed = await listen(control_url, fillIn(step.feed, run.variables), CONTROL_TOKEN);
  const answer = await request(run, { name: step.name, http: step.http });
  const outcome = await exchanged(run, answer, step);
  return { ...outcome, feed: run.normaliser.value(await feed.until(run.seen)) };
}

async function doStep(run: Run, step: Step): Promise<Outcome> {
  const { opened } = run;
  if ('machine_seconds' in step) {
    opened.machine.now += step.machine_seconds * 1000;
    return {};
  }
  if ('restart' in step) {
    await opened.restart();
    run.seen = 0;
    return {};
  }
  if ('file' in step) {
    const text = await opened.readFile(step.file);
    return { file: run.normaliser.value(JSON.parse(text)) };
  }
  if ('bytes' in step) return doBytes(run, step);
  if ('feed' in step) return doFeed(run, step);
  const answer = await request(run, step);
  if (step.save !== undefined) saveFrom(answer, step.save, run.variables, run.symbols);
  return exchanged(run, answer, step);
}

const portsOf = (opened: OpenSandbox) => () => {
  const { port, control_url } = opened.running();
  return { port: port(), 'control-port': Number(new URL(control_url).port) };
};

export interface RunOptions {
  readonly seed: number;
  /** Whether to write the documents of the session. */
  readonly leave?: boolean;
}

/** @throws Error naming the session and the step that failed */
export async function runSession(
  session: Session,
  { seed, leave }: RunOptions,
): Promise<Outcome[]> {
  const { title, sandbox, steps } = session;
  const opened = await openSandbox(sandbox, seed);
  const agent = new Agent({ keepAlive: true });
  try {
    const literals = [JSON.stringify({ sandbox, steps }), ...opened.thumbprints].join('\n');
    const ports = portsOf(opened);
    const symbols = createSymbols(literals, ports);
    const variables = new Map(Object.entries(opened.found?.variables ?? {}));
    for (const [name, value] of variables) symbols.give(value, name);
    const normaliser = createNormaliser(symbols);
    const run: Run = { opened, agent, variables, symbols, normaliser, seen: 0 };
    const outcomes: Outcome[] = [];
    for (const step of steps) {
      for (const [name, port] of Object.entries(ports())) variables.set(name, String(port));
      try {
        outcomes.push(await doStep(run, step));
      } catch (error) {
        throw new Error(`${title}, step "${step.name}": ${String(error)}`, { cause: error });
      }
    }
    if (leave === true && sandbox.leaves !== undefined) {
      const [workspace, keep] = [await opened.readFile('workspace'), await opened.readFile('keep')];
      const { now } = opened.machine;
      const left = Object.fromEntries(variables);
      await writeDocument(sandbox.leaves, { now, workspace, keep, variables: left });
    }
    return outcomes;
  } finally {
    agent.destroy();
    await opened.close();
  }
}
