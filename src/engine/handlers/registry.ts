// Clients, users and audiences.

import type { Audience, Client, User } from '../../control/schemas.ts';
import { audienceSchema, clientSchema, userSchema } from '../../control/schemas.ts';
import { withCredentials } from '../../core/registry/registration.ts';
import { conflict, invalidField } from './control-error.ts';
import type { EngineParts } from '../parts.ts';
import type { Noun } from './records.ts';
import { createRecord, listRecords, readRecord, removeRecord, updateRecord } from './records.ts';
import { os } from './os.ts';

function clientNoun({ service, workspace }: EngineParts): Noun<Client> {
  const { audiences, clients } = service.registry;
  return {
    name: 'client',
    key: 'client_id',
    collection: clients,
    schema: clientSchema,
    check: ({ default_audience: uri }) => {
      if (uri === null || audiences.get(uri) !== undefined) return;
      if (uri === workspace.current().settings.issuer) return;
      throw invalidField('default_audience', 'must be a registered audience, or null: the issuer');
    },
  };
}

export function clientHandlers(parts: EngineParts) {
  const noun = clientNoun(parts);
  return {
    list: os.clients.list.handler(({ input }) => listRecords(noun, input)),
    create: os.clients.create.handler(({ input }) =>
      createRecord(noun, withCredentials(input, parts.service.ports.random)),
    ),
    get: os.clients.get.handler(({ input }) => readRecord(noun, input.client_id)),
    update: os.clients.update.handler(({ input }) => updateRecord(noun, input.client_id, input)),
    remove: os.clients.remove.handler(({ input }) => {
      removeRecord(noun, input.client_id);
    }),
  };
}

export function userHandlers({ service }: EngineParts) {
  const noun: Noun<User> = {
    name: 'user',
    key: 'sub',
    collection: service.registry.users,
    schema: userSchema,
  };
  return {
    list: os.users.list.handler(({ input }) => listRecords(noun, input)),
    create: os.users.create.handler(({ input }) => createRecord(noun, input)),
    get: os.users.get.handler(({ input }) => readRecord(noun, input.sub)),
    update: os.users.update.handler(({ input }) => updateRecord(noun, input.sub, input)),
    remove: os.users.remove.handler(({ input }) => {
      removeRecord(noun, input.sub);
    }),
  };
}

export function audienceHandlers({ service }: EngineParts) {
  const { audiences, clients } = service.registry;
  const noun: Noun<Audience> = {
    name: 'audience',
    key: 'uri',
    collection: audiences,
    schema: audienceSchema,
  };
  return {
    list: os.audiences.list.handler(({ input }) => listRecords(noun, input)),
    create: os.audiences.create.handler(({ input }) => createRecord(noun, input)),
    get: os.audiences.get.handler(({ input }) => readRecord(noun, input.uri)),
    update: os.audiences.update.handler(({ input }) => updateRecord(noun, input.uri, input)),
    remove: os.audiences.remove.handler(({ input: { uri } }) => {
      const user = clients.list().find((client) => client.default_audience === uri);
      if (user !== undefined) {
        throw conflict(`"${uri}" is the default audience of the client "${user.client_id}"`);
      }
      removeRecord(noun, uri);
    }),
  };
}
