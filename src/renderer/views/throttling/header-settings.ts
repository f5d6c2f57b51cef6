// The settings below the limit: what responses say about it, and whose address is counted.

import { fieldAt } from '../../../control/fields.ts';
import { settingsSchema } from '../../../control/schemas.ts';

const PATHS = [
  'throttle.ratelimit_headers',
  'throttle.x_ratelimit_headers',
  'throttle.retry_after_header',
  'throttle.trust_proxy',
] as const;

export const HEADER_SETTINGS = PATHS.map((path) => ({ path, ...fieldAt(settingsSchema, path) }));
