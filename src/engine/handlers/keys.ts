// Signing keys: generating, importing, retiring.

import type { SigningKey } from '../../core/model/ports.ts';
import { withEither } from '../promises.ts';
import { MAX_KEYS } from '../signing-keys.ts';
import type { EngineParts } from '../parts.ts';
import { ProviderError } from '../provider/provider-error.ts';
import type { SigningKey as KeyView } from '../../control/schemas.ts';
import { timeText } from '../format.ts';
import { conflict, existing, invalid } from './control-error.ts';
import { os } from './implementer.ts';

const FULL = `there can be at most ${MAX_KEYS} keys; retire one first`;

function keyView(key: SigningKey, signing: boolean): KeyView {
  return {
    kid: key.kid,
    alg: key.alg,
    signing,
    published: key.public_jwk !== null,
    created_at: timeText(key.created_at),
    public_jwk: key.public_jwk,
  };
}

export function keyHandlers({ service, keys, closing }: EngineParts) {
  const { keyring, ports } = service;
  const signing = () => {
    const { signing_alg } = service.settings();
    return keyring.list().find((key) => key.alg === signing_alg);
  };
  const view = (key: SigningKey) => keyView(key, key === signing());
  return {
    list: os.keys.list.handler(() => ({ items: keyring.list().map(view), next: null })),
    create: os.keys.create.handler(async ({ input: { alg, jwk } }) => {
      if (jwk === undefined) {
        const made = await keys.rotate(alg ?? service.settings().signing_alg);
        if (made === null) throw conflict(FULL);
        return view(made);
      }
      const added = await keys.add(jwk, 'jwk');
      if (added === null) throw conflict(FULL);
      if ('problems' in added) throw invalid(added.problems);
      return view(added.value);
    }),
    retire: os.keys.retire.handler(async ({ input: { kid } }) => {
      const next = existing(await keys.retire(kid), 'key', kid);
      return { kid, retired_at: timeText(ports.clock.now()), signing_kid: next.kid };
    }),
    fetch: os.keys.fetch.handler(async ({ input: { url }, signal }) => {
      const { readLoopbackKeys } = await import('../provider/documents.ts');
      return withEither([signal, closing], async (gone) => {
        try {
          return { keys: [...(await readLoopbackKeys(url, gone))] };
        } catch (error) {
          if (gone.aborted)
            throw conflict('url was not read completely: the call was aborted', 'url');
          if (!(error instanceof ProviderError)) throw error;
          throw conflict(`url ${error.message}`, 'url');
        }
      });
    }),
  };
}
