// Where a protected API is, and for whom its tokens are, apart from the schemas, so that a start and the page load none.

import { baseOf } from './endpoints.ts';
import type { Api } from './schemas.ts';

/** Returns the path that all requests to the API begin with, below the issuer. */
export const pathOfApi = ({ name, path }: Pick<Api, 'name' | 'path'>): string =>
  path ?? `/api/${name}`;

/** Returns the audience of its access tokens. */
export function audienceOfApi({ name, kind, path, audience }: Api, issuer: string): string {
  const own = kind === 'mcp' ? pathOfApi({ name, path }) : `/api/${name}`;
  return audience ?? baseOf(issuer) + own;
}
