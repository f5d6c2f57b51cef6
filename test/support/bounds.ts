// Every bounded collection, by its name in docs/internals/security.md.

import { BLOCKED_BOUNDS, COUNTER_BOUNDS } from '../../src/core/throttle/throttle.ts';
import type { Bounds } from '../../src/core/collections/bounded-map.ts';
import { FORM_BOUNDS } from '../../src/core/authorization/consent-forms.ts';
import { PUSHED_BOUNDS } from '../../src/core/authorization/pushed-requests.ts';
import { DEVICE_BOUNDS } from '../../src/core/device-authorization/device-authorizations.ts';
import { GUESS_BOUNDS } from '../../src/core/device-authorization/verification.ts';
import { DENIAL_BOUNDS } from '../../src/core/stores/denials.ts';
import { OVER_FETCH_BOUNDS } from '../../src/core/throttle/redundant-requests.ts';
import { settingsSchema } from '../../src/core/records/schemas.ts';
import {
  FAULT_BOUNDS,
  RECORD_BOUNDS,
  SAVED_BOUNDS,
  SHAPE_BOUNDS,
  SIGNING_KEY_BOUNDS,
} from '../../src/core/records/bounds.ts';
import { CLIENT_KEY_BOUNDS } from '../../src/core/client-authentication/client-keys.ts';
import { SESSION_BOUNDS } from '../../src/core/authorization/sessions.ts';
import { STORE_LIMITS } from '../../src/core/stores/memory-stores.ts';
import { USED_ONCE_BOUNDS } from '../../src/core/collections/used-once.ts';
import { ADVISED_CLIENT_BOUNDS, ADVISORY_BOUNDS } from '../../src/engine/exchanges/advisory-log.ts';
import { APP_TRAFFIC_BOUNDS } from '../../src/engine/feed/app-traffic.ts';
import { LOGIN_BOUNDS } from '../../src/server/logins.ts';
import { RETRY_BOUNDS } from '../../src/server/retries.ts';

export const MIB = 1024 * 1024;

/** The total for all collections but live credentials. */
export const ALL_OTHERS_BYTES = 264 * MIB;

const { max_exchanges, max_bytes } = settingsSchema.parse({}).capture;

export const LIVE = 'Live credentials';

export const BOUNDS: Readonly<Record<string, Bounds>> = {
  [LIVE]: STORE_LIMITS.live,
  'Ended credentials': STORE_LIMITS.ended,
  'Access tokens': STORE_LIMITS.access_tokens,
  'Texts of access tokens': STORE_LIMITS.access_token_texts,
  'Denial list': DENIAL_BOUNDS,
  'Throttle counters': COUNTER_BOUNDS,
  'Histories of counters': BLOCKED_BOUNDS,
  'Last tokens': OVER_FETCH_BOUNDS,
  'Used assertions and proofs': USED_ONCE_BOUNDS,
  'Keys of clients': CLIENT_KEY_BOUNDS,
  Sessions: SESSION_BOUNDS,
  'Consent forms': FORM_BOUNDS,
  'Pushed requests': PUSHED_BOUNDS,
  'Device authorizations': DEVICE_BOUNDS,
  'Wrong user codes': GUESS_BOUNDS,
  Exchanges: { entries: max_exchanges, bytes: max_bytes },
  'Failed requests': RETRY_BOUNDS,
  Logins: LOGIN_BOUNDS,
  Advisories: ADVISORY_BOUNDS,
  'Advised clients': ADVISED_CLIENT_BOUNDS,
  'Requests of the app': APP_TRAFFIC_BOUNDS,
  Clients: RECORD_BOUNDS.clients,
  Users: RECORD_BOUNDS.users,
  Audiences: RECORD_BOUNDS.audiences,
  'Protected APIs': RECORD_BOUNDS.apis,
  'Fault rules': FAULT_BOUNDS,
  'Saved flows': SAVED_BOUNDS.flows,
  'Saved requests': SAVED_BOUNDS.requests,
  'Client checks': SAVED_BOUNDS.checks,
  'Provider shape': SHAPE_BOUNDS,
  'Signing keys': SIGNING_KEY_BOUNDS,
};
