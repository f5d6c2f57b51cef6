// The provider that the service imitates.

import { z } from '../../core/records/zod.ts';
import type { Shape } from '../schemas.ts';
import * as s from '../schemas.ts';
import { op, typed } from './op.ts';

/** Any object here: the shape is validated as a whole. */
const shapeInput = typed<Shape>(z.looseObject({}));

const CHANGES = ['The issuer ends in /realms/sandbox.', 'Refresh tokens are signed JWTs.'];
const EXAMPLE = { shape: { provider: 'keycloak' }, name: 'Keycloak', changes: CHANGES };

export const shape = {
  get: op
    .route({
      method: 'GET',
      path: '/shape',
      summary: 'Read the provider shape',
      description: 'Returns the shape of the provider that is imitated, and what it changes.',
    })
    .meta({ example_answer: EXAMPLE })
    .output(s.shapeStateSchema),
  set: op
    .route({
      method: 'PUT',
      path: '/shape',
      summary: 'Imitate a provider',
      description:
        'Puts a shape in place of the former one, effective from the next request. The settings that come with it are set.',
    })
    .meta({ example: { provider: 'keycloak' }, example_answer: EXAMPLE })
    .input(shapeInput)
    .output(s.shapeStateSchema),
  remove: op.route({
    method: 'DELETE',
    path: '/shape',
    successStatus: 204,
    summary: 'Imitate no provider',
    description:
      'Removes the shape. Settings that came with it return to their defaults unless they were changed since.',
  }),
  providers: op
    .route({
      method: 'GET',
      path: '/shape-providers',
      summary: 'List the providers that can be imitated',
      description: 'Returns the shipped shapes and what each one changes.',
    })
    .meta({
      example_answer: {
        items: [{ provider: 'keycloak', title: 'Keycloak', changes: CHANGES }],
        next: null,
      },
    })
    .output(s.listOf(s.shippedShapeSchema)),
};
