// Clients, users, audiences and protected APIs.

import type { Client, User } from '../../control/schemas.ts';
import type { User as UserRecord } from '../../core/records/schemas.ts';
import { apiSchema, audienceSchema, clientSchema, userSchema } from '../../control/schemas.ts';
import { pathOfApi } from '../../core/records/api-address.ts';
import { isDocumentUrl } from '../../core/registry/client-documents.ts';
import {
  clientOfDocument,
  withCredentials,
  withStandardGrants,
} from '../../core/registry/registration.ts';
import { conflict, controlError, invalidField } from './control-error.ts';
import type { EngineParts } from '../parts.ts';
import { checkNoDefault, recordsOf } from './records.ts';
import { os } from './implementer.ts';

function clientRecords({ service, workspace }: EngineParts) {
  const { apis, audiences, clients } = service.registry;
  return recordsOf({
    name: 'client',
    key: 'client_id',
    keyOf: ({ client_id }) => client_id,
    collection: clients,
    schema: clientSchema,
    check: ({ default_audience: uri }) => {
      if (uri === null || audiences.get(uri) !== undefined) return;
      if (apis.list().some(({ audience }) => audience === uri)) return;
      if (uri === workspace.current().settings.issuer) return;
      throw invalidField(
        'default_audience',
        'must be a registered audience, or null for the issuer',
      );
    },
  });
}

export function clientHandlers(parts: EngineParts) {
  const records = clientRecords(parts);
  const { service } = parts;
  /** While documents are supported, a draft that is one is read as such. @throws ORPCError for one that breaks a rule */
  const documented = (draft: Partial<Client>): Partial<Client> => {
    const { client_id = '', client_secret = null } = draft;
    const { document_origins } = service.settings().registration;
    if (document_origins === undefined || client_secret !== null) return draft;
    if (!isDocumentUrl(client_id)) return draft;
    const read = clientOfDocument(draft, client_id);
    if ('problem' in read) throw controlError('invalid', read.problem, read.problem.split(' ')[0]);
    return read.client;
  };
  const standard = (input: object) =>
    withStandardGrants({ ...input }, service.shape()?.grant_types);
  return {
    list: os.clients.list.handler(({ input }) => records.list(input)),
    create: os.clients.create.handler(({ input }) =>
      records.create(withCredentials(documented(standard(input)), service.ports.random)),
    ),
    get: os.clients.get.handler(({ input }) => records.read(input.client_id)),
    update: os.clients.update.handler(({ input }) =>
      records.update(input.client_id, standard(input)),
    ),
    remove: os.clients.remove.handler(({ input }) => {
      records.remove(input.client_id);
    }),
  };
}

const answeredUser = ({ password, ...shown }: UserRecord): User => ({
  ...shown,
  has_password: password !== null,
});

/** A returned user can be sent back unchanged. */
function withoutReadOnly<T extends { readonly has_password?: unknown }>(sent: T) {
  const { has_password: _has_password, ...members } = sent;
  return members;
}

export function userHandlers({ service }: EngineParts) {
  const records = recordsOf({
    name: 'user',
    key: 'sub',
    keyOf: ({ sub }) => sub,
    collection: service.registry.users,
    schema: userSchema,
  });
  return {
    list: os.users.list.handler(({ input }) => {
      const { items, ...page } = records.list(input);
      return { ...page, items: items.map(answeredUser) };
    }),
    create: os.users.create.handler(({ input }) =>
      answeredUser(records.create(withoutReadOnly(input))),
    ),
    get: os.users.get.handler(({ input }) => answeredUser(records.read(input.sub))),
    update: os.users.update.handler(({ input }) =>
      answeredUser(records.update(input.sub, withoutReadOnly(input))),
    ),
    remove: os.users.remove.handler(({ input }) => {
      records.remove(input.sub);
    }),
  };
}

export function audienceHandlers({ service }: EngineParts) {
  const { registry } = service;
  const records = recordsOf({
    name: 'audience',
    key: 'uri',
    keyOf: ({ uri }) => uri,
    collection: registry.audiences,
    schema: audienceSchema,
  });
  return {
    list: os.audiences.list.handler(({ input }) => records.list(input)),
    create: os.audiences.create.handler(({ input }) => records.create(input)),
    get: os.audiences.get.handler(({ input }) => records.read(input.uri)),
    update: os.audiences.update.handler(({ input }) => records.update(input.uri, input)),
    remove: os.audiences.remove.handler(({ input: { uri } }) => {
      checkNoDefault(uri, registry);
      records.remove(uri);
    }),
  };
}

export function apiHandlers({ service }: EngineParts) {
  const { apis, audiences } = service.registry;
  const records = recordsOf({
    name: 'API',
    key: 'name',
    keyOf: ({ name }) => name,
    collection: apis,
    schema: apiSchema,
    check: (api) => {
      const path = pathOfApi(api);
      const owner = apis
        .list()
        .find((other) => other.name !== api.name && pathOfApi(other) === path);
      if (owner === undefined) return;
      throw conflict(`the path ${path} is that of the API "${owner.name}"`, 'path');
    },
  });
  /** @throws ORPCError if a client would have a default audience that is no longer registered */
  const checkUnused = (name: string) => {
    const { audience } = records.read(name);
    if (audience === null || audiences.get(audience) !== undefined) return;
    if (apis.list().some((other) => other.name !== name && other.audience === audience)) return;
    checkNoDefault(audience, service.registry);
  };
  return {
    list: os.apis.list.handler(({ input }) => records.list(input)),
    create: os.apis.create.handler(({ input }) => records.create(input)),
    get: os.apis.get.handler(({ input }) => records.read(input.name)),
    update: os.apis.update.handler(({ input }) => {
      const { audience } = records.read(input.name);
      if (input.audience !== undefined && input.audience !== audience) checkUnused(input.name);
      return records.update(input.name, input);
    }),
    remove: os.apis.remove.handler(({ input: { name } }) => {
      checkUnused(name);
      records.remove(name);
    }),
  };
}
