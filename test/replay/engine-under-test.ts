// The only module of the replay that imports from src: it starts and closes a sandbox and finds the reason of a
// refusal. Only this file depends on the layout of src.

import { REFUSALS } from '../../src/core/checks/refusals/index.ts';
import { startControlServer } from '../../src/engine/control-server/server.ts';
import { createEngine } from '../../src/engine/engine.ts';

export interface SandboxOptions {
  readonly workspace_file: string;
  readonly save: boolean;
  readonly keep_file: string | undefined;
  readonly issuer: string | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** The machine's clock, in ms since the epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly control_token: string;
}

export interface RunningSandbox {
  /** The port of the OAuth endpoints, which changes with a restart. */
  readonly port: () => number;
  readonly control_url: string;
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { workspace_file: file, save, keep_file, issuer, tls, now, random } = options;
  const common = { port: 0, version: '0.0.0-replay', workspace: { file, save }, keep_file };
  const engine = await createEngine({ ...common, issuer, tls, now, random });
  await engine.start();
  const token = options.control_token;
  const control = await startControlServer(engine, {
    host: '127.0.0.1',
    port: 0,
    page: null,
    token,
  });
  return {
    port: () => engine.server().port,
    control_url: control.url,
    flush: engine.flush,
    close: async () => {
      await control.close();
      await engine.close();
    },
  };
}

/** A placeholder for the subject of a refusal. */
const ANYTHING = '\u0000';
const FACTS = new Proxy({}, { get: () => ANYTHING });

function patternOf(reason: keyof typeof REFUSALS): RegExp {
  const { summary } = REFUSALS[reason];
  const text = typeof summary === 'string' ? summary : summary(FACTS);
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(ANYTHING, '.*');
  return new RegExp(`^${escaped}$`, 's');
}

interface Reason {
  readonly reason: string;
  readonly check: string;
  readonly pattern: RegExp;
}

/** Every reason for a refusal, with the text of its cause. */
const reasons: readonly Reason[] = (Object.keys(REFUSALS) as (keyof typeof REFUSALS)[]).map(
  (reason) => ({
    reason,
    check: REFUSALS[reason].check,
    pattern: patternOf(reason),
  }),
);

export const refusalReasons: readonly string[] = reasons.map(({ reason }) => reason);

/** The reasons with this cause: one, unless two share their check and text. */
export function reasonsOf(cause: { readonly check: string; readonly summary: string }): string[] {
  return reasons
    .filter(({ check, pattern }) => check === cause.check && pattern.test(cause.summary))
    .map(({ reason }) => reason);
}
