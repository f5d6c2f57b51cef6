// Clients (behaviour 20.5) whose client_id is the URL of a document with their metadata (draft-ietf-oauth-client-id-metadata-document).
// Only documents on this machine are fetched; the control API imports others.

import { OAuthError } from '../checks/errors.ts';
import type { ClientDocuments } from '../model/domain.ts';
import type { Ports } from '../model/ports.ts';
import type { Client, Settings } from '../records/schemas.ts';
import type { Registry } from './lists.ts';

/** Maximum number of clients of fetched documents, among the clients of the registry. */
const MOST_FETCHED = 100;

const LIMITS = { most_bytes: 5 * 1024, timeout_ms: 3000 } as const;

/** Whether the text is the URL of a document: with a path, and without fragment, user name and dot segments. */
export function isDocumentUrl(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { href, pathname, hash, username, password } = new URL(text);
  return href === text && pathname !== '/' && hash === '' && username === '' && password === '';
}

export function createClientDocuments(
  { fetchDocument }: Pick<Ports, 'fetchDocument'>,
  { clients }: Registry,
  settings: () => Settings,
): ClientDocuments {
  const fetched = new WeakSet<Client>();
  const isFetched = (client: Client) => fetched.has(client);

  return {
    isFetched,
    fetch: async (url) => {
      const origins = settings().registration.document_origins ?? [];
      if (url === undefined || origins.length === 0 || !isDocumentUrl(url)) return;
      if (!origins.includes(new URL(url).origin)) return;
      const before = clients.get(url);
      if (before !== undefined && !isFetched(before)) return;
      const unusable = (expected: string) =>
        new OAuthError('client_document_unusable', { got: url, expected });
      const document = await fetchDocument(url, LIMITS);
      if ('problem' in document) throw unusable(document.problem);
      // It imports the schemas, which a start does not need.
      const { clientOfDocument } = await import('./registration.ts');
      const read = clientOfDocument(document.value, url);
      if ('problem' in read) throw unusable(read.problem);
      const { client } = read;
      const former = clients.get(url);
      if (former !== undefined && !isFetched(former)) return;
      const isFull =
        former === undefined && clients.list().filter(isFetched).length >= MOST_FETCHED;
      if (isFull || !clients.hasRoomFor(client))
        throw unusable('no more clients can be registered');
      fetched.add(client);
      clients.put(client);
    },
  };
}
