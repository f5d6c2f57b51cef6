// A process that mints access tokens, revokes every other one and rotates its keys now and then, as fast
// as that is kept, until it is killed. Tells on stdout: `step` before each, then what is known to be
// saved: `good <token>`, `revoked <token>`; between `revoking <token>` and that it may be either.

import { createEngine } from '../../src/engine/engine.ts';

const [keep_file = '', issuer = ''] = process.argv.slice(2);
const engine = await createEngine({ port: 0, version: 'test', keep_file, issuer });
const { service } = engine;
const tell = (text: string) => process.stdout.write(`${text}\n`);

for (let count = 1; ; count++) {
  tell('step');
  const { access_token, lineage } = await service.mint({ client_id: 'demo-app' });
  await engine.flush();
  tell(`good ${access_token}`);
  tell('step');
  if (count % 2 === 0) tell(`revoking ${access_token}`);
  if (count % 2 === 0) await service.revokeLineage(lineage);
  if (count % 5 === 0) await service.keyring.rotate(service.settings().signing_alg);
  await engine.flush();
  if (count % 2 === 0) tell(`revoked ${access_token}`);
}
