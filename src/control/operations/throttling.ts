// Throttle counters.

import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

export const throttle = {
  list: op(
    'GET /throttle',
    'List throttle counters',
    'Returns each counter with its client, address, count, and the time when its window resets.',
  )
    .input(s.pageSchema)
    .output(s.listOf(s.counterSchema)),
  get: op(
    'GET /throttle/{id}',
    'Read a counter with its newest throttled requests',
    'Returns one counter with its newest throttled requests.',
  )
    .input(idKey)
    .output(s.counterDetailSchema),
  releaseAll: op(
    'DELETE /throttle',
    'Reset all counters',
    'Resets all counters. Each window starts again with the next request.',
    204,
  ),
  release: op(
    'DELETE /throttle/{id}',
    'Reset one counter',
    'Resets the counter. Its window starts again with the next request.',
    204,
  ).input(idKey),
};
