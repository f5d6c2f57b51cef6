// What is asked by the page in a dialog of its own and by the window natively: before the service listens where other
// machines reach it, and before credentials end with the clients that another workspace does not have.

import { enumerated, pluralize } from '../words.ts';
import type { LiveCounts } from './schemas.ts';

/** Whether only this machine reaches it. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

interface ExposureQuestion {
  readonly title: string;
  readonly body: string;
  readonly confirm: string;
}

export const exposureQuestion = (host: string, https: boolean): ExposureQuestion => ({
  title: 'Let other machines reach the sandbox?',
  body: `On ${host}, anyone on the network can reach the OAuth endpoints, and they have no protection: the sign-in page asks for no password, so that anyone can sign in as any user.${
    https ? '' : ' Traffic is not encrypted unless HTTPS is on.'
  } The workbench and the control API stay where they are.`,
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

/** @param ends of clients that the next workspace does not have */
export const endingInWords = (ends: LiveCounts): string =>
  `${credentialsInWords(ends)} end, because the new workspace does not have their clients.`;
