// The cases of a client check as the control API and the library list them.

import type { ClientCase } from '../control/schemas.ts';
import type { ClientCase as Case } from '../core/client-checks/case.ts';
import { CLIENT_CASES } from '../core/client-checks/cases.ts';

/** Requests for metadata, keys and userinfo name no client. */
export const namesClient = ({ match }: Case['rules'][number]): boolean =>
  ['/oauth/token', '/authorize'].includes(match?.path ?? '');

/** In the order in which they are run, without what the engine does for them. */
export const LISTED_CASES: ClientCase[] = CLIENT_CASES.map(
  ({
    progress: _progress,
    needs_dpop: _dpop,
    rotates_key: _key,
    logout: _logout,
    rules,
    ...one
  }) => ({
    ...one,
    libraries: [...one.libraries],
    shared: !rules.every(namesClient),
  }),
);
