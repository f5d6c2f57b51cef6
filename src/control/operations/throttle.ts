// Counters of the throttle.

import * as s from '../schemas.ts';
import { idKey, op } from './op.ts';

export const throttle = {
  list: op
    .route({
      method: 'GET',
      path: '/throttle',
      summary: 'List throttle counters',
      description:
        'Returns each counter with its client, address, count, and the time its window resets.',
    })
    .input(s.pageSchema)
    .output(s.listOf(s.counterSchema)),
  get: op
    .route({
      method: 'GET',
      path: '/throttle/{id}',
      summary: 'Read a counter with its newest throttled requests',
      description: 'Returns one counter with the newest requests it rejected.',
    })
    .input(idKey)
    .output(s.counterDetailSchema),
  releaseAll: op.route({
    method: 'DELETE',
    path: '/throttle',
    successStatus: 204,
    summary: 'Release all counters',
    description: 'Clears all counters. Each window starts again with the next request.',
  }),
  release: op
    .route({
      method: 'DELETE',
      path: '/throttle/{id}',
      successStatus: 204,
      summary: 'Release one counter',
      description: 'Clears the counter. Its window starts again with the next request.',
    })
    .input(idKey),
};
