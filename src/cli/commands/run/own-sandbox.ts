// The sandbox in which `grantbench run` runs a scenario: the demo workspace with the scenario's own members, in a
// separate engine on a free port, over real HTTP.

import { createEngine, type EngineOptions } from '../../../engine/engine.ts';
import { takeGivenWorkspace } from '../../../engine/workspace/given.ts';
import { WorkspaceError } from '../../../engine/workspace/document.ts';
import {
  type CheckWorkspace,
  type ParsedScenario,
  parseScenario,
} from '../../../scenario/parse.ts';
import { createAssertionKeys } from '../../../scenario/runner/assertion-keys.ts';
import { runScenario, type ScenarioResult } from '../../../scenario/runner/run-steps.ts';
import type {
  HttpAnswer,
  ScenarioSandbox,
  WireRequest,
} from '../../../scenario/runner/scenario-sandbox.ts';
import { request } from 'node:http';
import { membersOf } from '../../../json.ts';
import { SENDER_HEADER } from '../../../control/names.ts';

const checkWorkspace: CheckWorkspace = async (part) => {
  const { clients, users, audiences, apis, settings, shape } = membersOf(part);
  const members = { clients, users, audiences, apis, settings, shape };
  try {
    return await takeGivenWorkspace({ members, signing_alg: 'ES256' }, 'scenario');
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return error.problems;
  }
};

export const readScenario = (text: string): ReturnType<typeof parseScenario> =>
  parseScenario(text, checkWorkspace);

export async function openSandbox(
  { workspace }: ParsedScenario,
  version: EngineOptions['version'],
): Promise<ScenarioSandbox> {
  const engine = await createEngine({ port: 0, version, base: workspace });
  try {
    const { port } = await engine.start();
    const control = await engine.getControl();
    const { issuer, endpoints } = await control.server.get();
    const { clients, users } = workspace;
    const { keyFor } = createAssertionKeys(control);
    return {
      control,
      issuer,
      endpoints,
      clients,
      users,
      send: (request) => send(port, request),
      assertionKey: keyFor,
      close: engine.close,
    };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

export const runInOwnSandbox = (
  file: string,
  parsed: ParsedScenario,
  version: EngineOptions['version'],
): Promise<ScenarioResult> => runScenario(file, parsed, () => openSandbox(parsed, version));

const NO_ANSWER: HttpAnswer = { status: 0, headers: {}, text: '', exchange: null };

/** Sends headers in the order and spelling of the step, after the sender's own headers. */
function framed({ method, headers, body }: WireRequest, port: number) {
  const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))]];
  const isNamed = (name = '') => headers.some(([own]) => own.toLowerCase() === name.toLowerCase());
  const usual = [['Host', `localhost:${port}`], ...length].filter(([name]) => !isNamed(name));
  const own = [
    [SENDER_HEADER, 'scenario'],
    ['Connection', 'close'],
  ];
  return { method, agent: false as const, headers: [...usual, ...headers, ...own].flat() };
}

const exchangeOf = (named: string | string[] | undefined) =>
  named === undefined ? null : Number(named);

/** @throws TypeError for headers that no request can contain */
function send(port: number, outgoing: WireRequest): Promise<HttpAnswer> {
  return new Promise((resolve) => {
    const target = { host: '127.0.0.1', port, path: outgoing.path };
    const sent = request({ ...target, ...framed(outgoing, port) }, (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const chunks: Buffer[] = [];
      const end = () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status, headers, text, exchange: exchangeOf(headers['grantbench-exchange']) });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      // `close` is emitted both after a complete response and after a broken connection.
      answer.on('error', () => undefined);
      answer.on('close', end);
    });
    sent.on('error', () => {
      resolve(NO_ANSWER);
    });
    sent.end(outgoing.body);
  });
}
