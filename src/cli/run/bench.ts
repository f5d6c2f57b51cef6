// A sandbox of its own for one scenario: an engine on a free port, and what its steps work with.

import type { ControlClient } from '../../control/client.ts';
import type { Exchange } from '../../control/schemas.ts';
import { createEngine, type EngineOptions } from '../../engine/engine.ts';
import type { ReadScenario } from '../../engine/scenario/read-scenario.ts';
import { answerOf, type Answer } from './answer.ts';
import { send, type Outgoing } from './send.ts';
import { createVariables, type Variables } from './variables.ts';

export interface Bench {
  readonly control: ControlClient;
  readonly issuer: string;
  /** What the paths of the endpoints begin with; empty unless the issuer has a path. */
  readonly base: string;
  readonly workspace: ReadScenario['workspace'];
  readonly variables: Variables;
  readonly ask: (outgoing: Outgoing) => Promise<Answer>;
  readonly raw: (outgoing: Outgoing) => ReturnType<typeof send>;
  readonly answered: (incoming: Awaited<ReturnType<typeof send>>) => Promise<Answer>;
  readonly close: () => Promise<void>;
}

/** Seconds that an exchange may take to be told: of a connection broken off, the server learns last. */
const LATE_S = 2;

/** The exchange of the newest answer: by its number, or when it names none, the next one that is told. */
function exchangeFinder(control: ControlClient) {
  let last = 0;
  return async (named: string | string[] | undefined): Promise<Exchange | null> => {
    const after = named === undefined ? last : Number(named) - 1;
    const { items } = await control.exchanges.list({ after, wait_seconds: LATE_S });
    const [newest] = items;
    if (newest === undefined) return null;
    last = newest.number;
    return control.exchanges.get({ number: newest.number });
  };
}

export async function createBench(
  { workspace }: Pick<ReadScenario, 'workspace'>,
  version: EngineOptions['version'],
): Promise<Bench> {
  const engine = await createEngine({ port: 0, version, base: workspace });
  try {
    const { issuer, port } = await engine.start();
    const control = await engine.getControl();
    const find = exchangeFinder(control);
    const variables = createVariables();
    variables.set('issuer', issuer);
    const raw = (outgoing: Outgoing) =>
      send(port, { ...outgoing, headers: { Host: `localhost:${port}`, ...outgoing.headers } });
    const answered: Bench['answered'] = async (incoming) =>
      answerOf(incoming, await find(incoming.headers['grantbench-exchange']));
    const ask = async (outgoing: Outgoing) => answered(await raw(outgoing));
    const base = new URL(issuer).pathname.replace(/\/$/, '');
    return { control, issuer, base, workspace, variables, ask, raw, answered, close: engine.close };
  } catch (error) {
    await engine.close();
    throw error;
  }
}
