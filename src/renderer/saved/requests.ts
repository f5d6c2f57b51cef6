// The saved requests, without their credentials.

import { savedRequestSchema, type SavedRequest } from '../../control/schemas.ts';
import { control } from '../connection/control.ts';
import { createBrowserList } from './browser-list.ts';
import { createShelf } from './shelf.ts';

const MOST_REQUESTS = 100;

function read(stored: string | null): readonly SavedRequest[] {
  let found: unknown;
  try {
    found = JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
  const all: readonly unknown[] = Array.isArray(found) ? found : [];
  return all.flatMap((one) => savedRequestSchema.safeParse(one).data ?? []);
}

export const requestShelf = createShelf<SavedRequest>({
  one: 'request',
  most: MOST_REQUESTS,
  nameOf: ({ name }) => name,
  browser: createBrowserList<SavedRequest>({
    key: 'grantbench.saved-requests',
    read,
    write: (requests) => JSON.stringify(requests),
  }),
  listed: ({ saved_requests }) => saved_requests,
  listing: (saved_requests) => ({ saved_requests }),
  put: (request, replace) => control.savedRequests.put({ ...request, replace }),
  remove: (name) => control.savedRequests.remove({ name }),
});
