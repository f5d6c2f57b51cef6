// A workspace that imitates a provider, from its public documents and, where one is given, a sample token.

import { checkWorkspace } from '../workspace/document.ts';
import { DEMO_WORKSPACE } from '../workspace/demo.ts';
import type { Shape } from '../../core/records/schemas.ts';
import { readSample } from './claims-of.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { readProvider, type ReadOptions } from '../provider/documents.ts';
import { shapeOf } from './shape-of.ts';

/** Notes that are listed one by one. */
const MOST_NOTES = 50;

function listed(notes: readonly string[]): readonly string[] {
  const more = notes.length - MOST_NOTES;
  return more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more members are left out.`] : notes;
}

/** Milliseconds for one document. */
export const MIRROR_TIMEOUT_MS = 10_000;

interface SampleText {
  readonly token: string;
  /** What it came in, for errors: the name of a file. */
  readonly where: string;
}

export interface Mirrored {
  /** A workspace document, which has been checked. */
  readonly workspace: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly shape: Shape;
  };
  /** What was left out, or is different here, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Requests the documents of the provider; nothing of the sandbox is sent there, and neither is the token.
 * @throws ProviderError naming the URL and the rule
 */
export async function mirror(
  issuer: string,
  sampleText: SampleText | null,
  options: ReadOptions,
): Promise<Mirrored> {
  const sample = sampleText === null ? null : readSample(sampleText.token, sampleText.where);
  const provider = await readProvider(issuer, options);
  const { shape, notes } = shapeOf(provider, sample);
  const { clients, users } = DEMO_WORKSPACE;
  const workspace = {
    version: 1,
    name: `Mirror of ${shape.name ?? ''}`,
    shape,
    clients,
    users: users.map((user) => ({ ...user, groups: ['group-1'], roles: ['role-1'] })),
  };
  const checked = await checkWorkspace(workspace);
  if ('value' in checked) return { workspace, notes: listed(notes) };
  const { path = '', message = '' } = checked.problems[0] ?? {};
  throw new ProviderError(provider.issuer, `makes a workspace in which ${path} ${message}`);
}
