// A provider that is mirrored in the window. The page says which; before anything leaves this machine the person is asked
// natively, and again about keys on another host and addresses that are not public. What was made stays here until it is saved: the page sees a summary.

import type { MirrorInput, MirrorSummary } from '../control/window-contract.ts';
import type { Mirrored } from '../engine/mirror/workspace.ts';
import type { ProviderError } from '../engine/provider/provider-error.ts';
import { isLoopback } from '../engine/provider/addresses.ts';
import { controlError } from '../engine/handlers/control-error.ts';
import { createRunExclusive } from '../engine/promises.ts';
import type { AskPerson } from './dialogs.ts';
import type { SavedAndOpened } from './workspaces.ts';

const SAMPLE = 'The sample token';

const metadataQuestion = (host: string) => ({
  message: `Request the metadata of ${host}?`,
  detail: `GET requests for its metadata and its keys are sent to ${host}, with nothing of the sandbox.`,
  confirm: 'Request',
});

const keysQuestion = (issuer: string, host: string) => ({
  message: `Request the keys from ${host}?`,
  detail: `${issuer} has its keys (jwks_uri) on another host. One GET request is sent there, with nothing of the sandbox.`,
  confirm: 'Request',
});

const addressQuestion = ({ plain }: ProviderError, address: string) => ({
  message: `Connect to ${address}?`,
  detail: `${plain}\n\nGo on only if the provider is meant to be there.`,
  confirm: 'Connect',
});

/** Remembers who was allowed, for the attempts after an address was: nobody is asked twice. */
function askOnce(ask: (host: string) => Promise<boolean>) {
  const allowed = new Set<string>();
  return async (host: string) => {
    if (!allowed.has(host) && (await ask(host))) allowed.add(host);
    return allowed.has(host);
  };
}

/** The host that is asked about first; null for this machine, and for what cannot be requested anyway. */
function hostBeyond(issuer: string): string | null {
  if (!URL.canParse(issuer)) return null;
  const url = new URL(issuer);
  return url.protocol === 'https:' && !isLoopback(url) ? url.host : null;
}

async function mirrorAsking(
  { issuer, token }: MirrorInput,
  ask: AskPerson,
  cancelled: AbortSignal | undefined,
): Promise<Mirrored> {
  const { mirror, MIRROR_TIMEOUT_MS } = await import('../engine/mirror/workspace.ts');
  const { ProviderError: Refusal } = await import('../engine/provider/provider-error.ts');
  const host = hostBeyond(issuer.trim());
  if (host !== null && !(await ask(metadataQuestion(host)))) {
    throw controlError('invalid', `Nothing was requested from ${host}.`, 'issuer');
  }
  const sample = token.trim() === '' ? null : { token, where: SAMPLE };
  const confirmHost = askOnce((other) => ask(keysQuestion(issuer, other)));
  const named: string[] = [];
  const options = {
    named,
    timeout_ms: MIRROR_TIMEOUT_MS,
    confirmHost,
    ...(cancelled === undefined ? {} : { cancelled }),
  };
  for (;;) {
    try {
      return await mirror(issuer.trim(), sample, options);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { address, plain, url } = error;
      const isNew = address !== null && !named.includes(address);
      if (!isNew || !(await ask(addressQuestion(error, address)))) {
        throw controlError('invalid', plain, url === SAMPLE ? 'token' : 'issuer');
      }
      named.push(address);
    }
  }
}

function summaryOf({ workspace, notes }: Mirrored): MirrorSummary {
  const { paths = {}, metadata = {}, access_token = {}, settings = {} } = workspace.shape;
  return {
    name: workspace.name,
    endpoints: Object.entries(paths).flatMap(([name, given]) =>
      given?.[0] === undefined ? [] : [{ name, path: given[0] }],
    ),
    metadata: Object.keys(metadata).filter((name) => metadata[name] !== null),
    claims: Object.keys(access_token).filter((name) => access_token[name] !== null),
    signing_alg: typeof settings['signing_alg'] === 'string' ? settings['signing_alg'] : null,
    notes,
  };
}

type Save = (name: string, text: string) => Promise<SavedAndOpened>;

export function createMirroring(ask: AskPerson, save: Save) {
  let made: Mirrored | null = null;
  /** One at a time: the questions of two would be mixed up. */
  const runExclusive = createRunExclusive();
  return {
    mirror: (input: MirrorInput, cancelled?: AbortSignal): Promise<MirrorSummary> =>
      runExclusive(async () => {
        cancelled?.throwIfAborted();
        made = null;
        made = await mirrorAsking(input, ask, cancelled);
        return summaryOf(made);
      }),
    /** Of what was made last. */
    saveMirror: async (): Promise<SavedAndOpened> =>
      made === null
        ? { file: null, opened: false }
        : save(made.workspace.name, `${JSON.stringify(made.workspace, null, 2)}\n`),
  };
}

export type Mirroring = ReturnType<typeof createMirroring>;
