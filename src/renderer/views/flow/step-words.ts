// Texts for steps and grants.

import type { Client } from '../../../control/schemas.ts';
import { WALK_STEPS, WALKS, type WalkGrant, type WalkStepId } from '../../../scenario/walks.ts';
import type { Party } from '../../sending/chosen-party.ts';
import { pluralize } from '../../ui/short-forms.ts';
import { isPossible, type AuthorizeWay } from './flow-document.ts';

const WAY_HINTS = {
  person: 'You sign in, in your browser',
  control: 'Issued directly, without a sign-in',
} as const;

/** Why a step is skipped; null when it is run. */
export const reasonNotRun = (id: WalkStepId, choice: Pick<Party, 'client'>): string | null =>
  isPossible(id, choice) ? null : 'Not run: this client may not use the refresh_token grant';

/** What the step will do, shown until it has run. */
export const hintOf = (id: WalkStepId, way: AuthorizeWay): string =>
  id === 'code' && way !== 'browser' ? WAY_HINTS[way] : WALK_STEPS[id].about;

/** Why there is no client to continue with. */
export const noClientInWords = (grant: WalkGrant, registered: number): string =>
  registered === 0
    ? 'No client is registered'
    : `No client may use the grant “${WALKS[grant].title}”. Allow it for a client, or register one.`;

export function clientInWords({ client_name, redirect_uris }: Client): string {
  const uris = pluralize(redirect_uris.length, 'redirect URI');
  return `${client_name || 'No name'} · ${uris}`;
}
