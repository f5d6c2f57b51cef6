// Mirrors a provider that the page names. Before anything leaves this machine, a native dialog asks for confirmation,
// and again for keys on another host and for addresses that are not public. The result stays in this process until it
// is saved; the page only receives a summary.

import type { MirrorInput, MirrorSummary } from '../control/window-contract.ts';
import type { Mirrored } from '../engine/mirror/workspace.ts';
import type { ProviderError } from '../engine/provider/provider-error.ts';
import { isLoopback } from '../engine/provider/addresses.ts';
import { controlError } from '../engine/handlers/control-error.ts';
import { createRunExclusive } from '../engine/promises.ts';
import type { ConfirmNatively } from './dialogs.ts';
import type { SavedAndOpened } from './workspaces.ts';

const SAMPLE = 'The sample token';

const metadataQuestion = (host: string) => ({
  message: `Request the metadata of ${host}?`,
  detail: `GET requests for its metadata and keys are sent to ${host}. They contain no sandbox data.`,
  confirm: 'Request',
});

const keysQuestion = (issuer: string, host: string) => ({
  message: `Request the keys from ${host}?`,
  detail: `${issuer} publishes its keys (jwks_uri) on another host. One GET request is sent there. It contains no sandbox data.`,
  confirm: 'Request',
});

const addressQuestion = ({ plain }: ProviderError, address: string) => ({
  message: `Connect to ${address}?`,
  detail: `${plain}\n\nContinue only if you expect the provider at that address.`,
  confirm: 'Connect',
});

/** Remembers confirmed hosts: the mirror starts again after an address is confirmed, and must not ask twice. */
function askOnce(ask: (host: string) => Promise<boolean>) {
  const allowed = new Set<string>();
  return async (host: string) => {
    if (!allowed.has(host) && (await ask(host))) allowed.add(host);
    return allowed.has(host);
  };
}

/** The host to confirm first; null for this machine, and for an issuer that cannot be requested anyway. */
function hostBeyond(issuer: string): string | null {
  if (!URL.canParse(issuer)) return null;
  const url = new URL(issuer);
  return url.protocol === 'https:' && !isLoopback(url) ? url.host : null;
}

async function mirrorAsking(
  { issuer, token }: MirrorInput,
  ask: ConfirmNatively,
  cancelled: AbortSignal | undefined,
): Promise<Mirrored> {
  const { mirror, MIRROR_TIMEOUT_MS } = await import('../engine/mirror/workspace.ts');
  const { ProviderError } = await import('../engine/provider/provider-error.ts');
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
      if (!(error instanceof ProviderError)) throw error;
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

export function createMirroring(ask: ConfirmNatively, save: Save) {
  let made: Mirrored | null = null;
  /** Runs one mirror at a time, so that the dialogs of two never mix. */
  const runExclusive = createRunExclusive();
  return {
    mirror: (input: MirrorInput, cancelled?: AbortSignal): Promise<MirrorSummary> =>
      runExclusive(async () => {
        cancelled?.throwIfAborted();
        made = null;
        made = await mirrorAsking(input, ask, cancelled);
        return summaryOf(made);
      }),
    saveMirror: async (): Promise<SavedAndOpened> =>
      made === null
        ? { file: null, opened: false }
        : save(made.workspace.name, `${JSON.stringify(made.workspace, null, 2)}\n`),
  };
}

export type Mirroring = ReturnType<typeof createMirroring>;
