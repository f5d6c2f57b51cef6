// Secrets of the scenario's own workspace that are written out in its steps: they are the sandbox's, and no provider
// receives them.

import { readBasic } from '../../oauth/client-authentication.ts';
import type { Workspace } from '../../core/records/schemas.ts';

/** A shorter secret is found only where it is the whole text: it may be part of any word. */
const SHORTEST_PART = 6;

const secretsOf = ({ clients, users }: Workspace): readonly string[] =>
  [
    ...clients.map(({ client_secret }) => client_secret),
    ...users.map(({ password }) => password),
  ].filter((secret): secret is string => secret !== null);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** A text as it is, percent-decoded, and as HTTP Basic. */
function readings(text: string): readonly string[] {
  const basic = readBasic(text);
  return [text, decoded(text), ...(basic === null ? [] : [basic.client_secret ?? ''])];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return readings(value);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}

/** Whether a value of the scenario contains a secret of its workspace, at any depth. */
export function containsSecret(value: unknown, workspace: Workspace): boolean {
  const secrets = secretsOf(workspace);
  return textsIn(value).some((text) =>
    secrets.some((secret) =>
      secret.length < SHORTEST_PART ? text === secret : text.includes(secret),
    ),
  );
}
