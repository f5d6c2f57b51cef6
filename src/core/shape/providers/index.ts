// The shipped shapes by provider: the list, nothing else.

import type { Provider, Shape } from '../../records/schemas.ts';
import { auth0 } from './auth0.ts';
import { entra } from './entra.ts';
import { keycloak } from './keycloak.ts';
import { okta } from './okta.ts';

export const SHIPPED_SHAPES: Readonly<Record<Provider, Shape>> = { auth0, okta, entra, keycloak };
