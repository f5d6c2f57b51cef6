// The allowed values of records, their meanings, and other facts. This file has no schemas, so that code that only
// shows or compares records loads none.

export * from '../core/records/enumerations.ts';
export * from '../core/records/enumeration-words.ts';
export * from '../core/records/bounds.ts';
export { CASE_GROUPS, GOOD_LOGIN } from '../core/records/client-checks.ts';
export {
  isOwnRedirectUri,
  parseLoopbackRedirect,
  redirectUriProblem,
} from '../core/records/redirect-uri.ts';
export type { Provider } from '../core/records/schemas.ts';
export { audienceOfApi, pathOfApi } from '../core/records/api-address.ts';
export { IN_WORDS, pathOf } from '../core/records/problems.ts';
export { mergePatch, patchBetween } from '../core/records/merge-patch.ts';

/** Whether only this machine can reach the address. */
export const isLoopbackHost = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** The most characters of what a mirror of a provider is made from. */
export const MIRROR_BOUNDS = { issuer: 2000, token: 100_000 } as const;

/** How the names of workspace files end. Installers register this file type. */
export const WORKSPACE_FILE = '.grantbench.json';

export const WINDOW_THEMES = ['system', 'light', 'dark'] as const;

/** What the page and the menu of the window ask before the server is stopped. */
export const STOP_QUESTION = {
  title: 'Stop the server?',
  body: 'Your app’s requests fail until you start the server again. Clients, users, tokens and settings are kept.',
  confirm: 'Stop server',
} as const;

/** Returns where the documentation describes a cause: a path below docs/ with the anchor of its entry. */
export const causeEntry = (reason: string): string => `reference/causes.md#${reason}`;

/** Whether a fault rule, or someone who held the exchange, decided what was sent. */
export const isScripted = (exchange: {
  readonly fault: object | null;
  readonly held: { readonly changed: boolean } | null;
}): boolean => exchange.fault !== null || exchange.held?.changed === true;

/** Says why an exchange has no checks; empty if the reason for its rejection says so. */
export function withoutChecks(
  exchange: Parameters<typeof isScripted>[0] & {
    readonly sent_by: string;
    readonly status: number;
    readonly cause: string | null;
    readonly why: object | null;
  },
): string {
  if (isScripted(exchange)) return 'The request was not evaluated, so there is no trace.';
  if (exchange.sent_by === 'server') {
    const accepted = exchange.status === 200 || exchange.status === 204;
    const answer = `The app ${accepted ? 'accepted' : 'did not accept'} the logout token: it responded with ${exchange.status}.`;
    return exchange.cause ?? answer;
  }
  return exchange.why === null ? 'This endpoint runs no checks, so there is no trace.' : '';
}
