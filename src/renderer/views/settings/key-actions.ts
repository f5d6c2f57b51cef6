// Actions on the signing keys. Each asks for confirmation and reports its result; the feed updates the list.

import type { SigningKey } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { page } from '../../connection/state.ts';
import { confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notify.tsx';
import { saveFile } from '../../ui/save-file.ts';

export async function rotateKey(): Promise<void> {
  const { settings } = page.getState();
  if (settings === null) return;
  const alg = settings.signing_alg;
  const goOn = await confirm({
    title: 'Rotate the signing key?',
    body: `A new ${alg} key is generated, which signs new tokens. The current key is kept until you retire it, so that the tokens it signed can still be verified.`,
    confirm: 'Rotate',
  });
  if (!goOn) return;
  await attempt('No key was generated.', async () => {
    const { kid } = await control.keys.create({ alg });
    notify(`${kid} signs new tokens`);
  });
}

/** Which key signs after this one is retired. */
function successionWords(key: SigningKey, keys: readonly SigningKey[]): string {
  if (!key.signing) return '';
  const another = keys.some(({ kid, alg }) => kid !== key.kid && alg === key.alg);
  return another
    ? ` The previous ${key.alg} key signs again.`
    : ` It is the only ${key.alg} key, so a new one is generated immediately.`;
}

export async function retireKey(key: SigningKey, keys: readonly SigningKey[]): Promise<void> {
  const goOn = await confirm({
    title: 'Retire this key?',
    body: `${key.kid} is removed from the list and the JWK Set, and introspection and userinfo reject every token it signed.${successionWords(key, keys)} This cannot be undone.`,
    confirm: 'Retire',
    danger: true,
  });
  if (!goOn) return;
  await attempt('The key was not retired.', async () => {
    await control.keys.retire({ kid: key.kid });
    notify(`${key.kid} is retired`);
  });
}

/** Exports the public parts of all keys, as apps fetch them (RFC 7517 5). */
export function exportJwks(keys: readonly SigningKey[]): void {
  const jwks = { keys: keys.flatMap(({ public_jwk }) => public_jwk ?? []) };
  saveFile([`${JSON.stringify(jwks, null, 2)}\n`], 'jwks.json');
}
