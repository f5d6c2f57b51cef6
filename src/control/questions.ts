// Confirmation texts that the page shows in a dialog and the window natively: before the server listens on an address
// that other machines can reach, and before credentials of clients end that another workspace does not have.

import { enumerated, pluralize } from '../words.ts';
import type { LiveCounts } from './schemas.ts';

export const exposureQuestion = (host: string, https: boolean) => ({
  title: 'Let other machines reach the sandbox?',
  body: `On ${host}, anyone on the network can reach the OAuth endpoints. They are unprotected: unless the sign-in page asks for passwords, anyone can sign in as any user.${
    https ? '' : ' Traffic is not encrypted unless HTTPS is on.'
  } The addresses of the workbench and the control API do not change.`,
  confirm: `Listen on ${host}`,
});

export const countOf = ({ codes, refresh_tokens, access_tokens }: LiveCounts): number =>
  codes + refresh_tokens + access_tokens;

/** `75 live credentials (1 code, 30 refresh tokens and 44 access tokens)` */
export function credentialsInWords(counts: LiveCounts): string {
  const kinds = [
    [counts.codes, 'code'],
    [counts.refresh_tokens, 'refresh token'],
    [counts.access_tokens, 'access token'],
  ] as const;
  const parts = kinds.filter(([count]) => count > 0).map(([count, kind]) => pluralize(count, kind));
  const all = pluralize(countOf(counts), 'live credential');
  return parts.length === 0 ? all : `${all} (${enumerated(parts)})`;
}

/** @param ends credentials of clients that the next workspace does not have */
export const endingInWords = (ends: LiveCounts): string =>
  `${credentialsInWords(ends)} will end, because the new workspace does not have their clients.`;
