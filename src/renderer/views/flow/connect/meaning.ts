// What an exchange of the app means, in a sentence, where nothing was rejected. Pure.

import type { Exchange } from '../../../../control/schemas.ts';
import { pluralize } from '../../../ui/short-forms.ts';

const METADATA = /\/\.well-known\/(?:openid-configuration|oauth-authorization-server)(?:$|[/?])/;

const RECEIVED = {
  code: 'a code',
  access_token: 'an access token',
  refresh_token: 'a refresh token',
  id_token: 'an id_token',
} as const;

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/** null where the status says it all. */
export function meaningOf(exchange: Exchange): string | null {
  const { path, sign_in, issued, trace, status, advisory_notes } = exchange;
  const [advice] = advisory_notes;
  if (advice !== undefined) return advice.text;
  if (sign_in !== null) return 'The browser shows the sign-in page and waits for a user.';
  if (issued.some(({ kind }) => kind === 'code')) {
    return 'A user signed in, and the browser takes the code to the callback.';
  }
  const passed = trace.filter(({ verdict }) => verdict === 'passed').length;
  const checks = passed === 0 ? '' : ` All ${pluralize(passed, 'check')} passed.`;
  if (issued.length > 0) {
    return `The app received ${listed(issued.map(({ kind }) => RECEIVED[kind]))}.${checks}`;
  }
  if (METADATA.test(path)) return 'The app read the metadata: where the endpoints are.';
  if (path.includes('jwks')) return 'The app read the public keys, which verify tokens.';
  if (status === 404) return 'There is no endpoint at this path.';
  return checks === '' ? null : checks.trim();
}
