// Where something is saved by name: in the workspace while its file is written, else in this browser.

import type { ServerState } from '../../control/schemas.ts';

export type Place = 'workspace' | 'browser';

export const placeOf = (server: ServerState | null): Place =>
  server !== null && ['saved', 'saving'].includes(server.workspace.state) ? 'workspace' : 'browser';

export const HERE = window.grantbench === undefined ? 'this browser' : 'this window';

/** Where, and why there, in a sentence. */
export function whereWords(server: ServerState | null): string {
  switch (server?.workspace.state) {
    case 'saved':
    case 'saving':
      return `Kept in the workspace file ${server.workspace.file ?? ''}.`;
    case 'conflict':
      return `Kept in ${HERE}: another program has changed the workspace file, so it is not saved.`;
    case 'failed':
      return `Kept in ${HERE}: the workspace file could not be saved.`;
    case 'memory':
      return `Kept in ${HERE}: the server saves no workspace file (see serve --save).`;
    case undefined:
      return `Kept in ${HERE}: the server is not connected.`;
  }
}

/** Where it is, in two words, when that is not where the next one would be saved. */
export function elsewhere(place: Place, server: ServerState | null): string | null {
  if (place === placeOf(server)) return null;
  return place === 'browser' ? `in ${HERE}` : 'in the workspace';
}
