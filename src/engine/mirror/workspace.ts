// Makes a workspace that imitates a provider from its public documents and an optional sample token.

import { checkWorkspace } from '../workspace/document.ts';
import { DEMO_WORKSPACE } from '../workspace/demo.ts';
import type { Shape } from '../../core/records/schemas.ts';
import { readSample } from './claims-of.ts';
import { ProviderError } from '../provider/provider-error.ts';
import { readProvider, type ReadOptions } from '../provider/documents.ts';
import { shapeOf } from './shape-of.ts';

const MOST_NOTES = 50;

function listed(notes: readonly string[]): readonly string[] {
  const more = notes.length - MOST_NOTES;
  return more > 0 ? [...notes.slice(0, MOST_NOTES), `${more} more members are omitted.`] : notes;
}

/** Time limit for a document, in ms. */
export const MIRROR_TIMEOUT_MS = 10_000;

interface SampleText {
  readonly token: string;
  /** Names the source of the token in errors, such as a file name. */
  readonly where: string;
}

export interface Mirrored {
  /** A checked workspace document. */
  readonly workspace: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly shape: Shape;
  };
  /** Omissions and differences, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Requests the documents of the provider, without sending sandbox data or the token.
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
