// Links that open the page with its token. A browser is started with the link as an argument, which every user of
// the machine can list: so the link holds no token, and opens the page once, within a minute.

import { createHash, randomBytes } from 'node:crypto';

const PREFIX = '/open/';
const VALID_MS = 60_000;

export interface OneTimeLinks {
  /** The path of a new link. An earlier one that was not used is void. */
  readonly create: () => string;
  /** Whether the path is the link's. It is void from then. */
  readonly use: (path: string) => boolean;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64');

export const isOneTimeLink = (path: string): boolean => path.startsWith(PREFIX);

/** @param now ms of a clock that is never set back */
export function createOneTimeLinks(now: () => number = () => performance.now()): OneTimeLinks {
  let current: { readonly digest: string; readonly until: number } | null = null;
  return {
    create: () => {
      const path = PREFIX + randomBytes(32).toString('base64url');
      current = { digest: digest(path), until: now() + VALID_MS };
      return path;
    },
    use: (path) => {
      if (current === null || digest(path) !== current.digest) return false;
      const inTime = now() <= current.until;
      current = null;
      return inTime;
    },
  };
}
