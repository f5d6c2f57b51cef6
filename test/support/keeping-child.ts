// A process that issues access tokens, revokes every second one and sometimes rotates its keys, as fast as they are
// stored, until it is killed. Prints `step` before each, and `good <token>` or `revoked <token>` for stored states;
// after `revoking <token>`, the state is either until `revoked` follows.

import { createEngine } from '../../src/engine/engine.ts';
import { DEMO_ES256 } from './demo-es256.ts';

const [keep_file = '', issuer = ''] = process.argv.slice(2);
const engine = await createEngine({
  port: 0,
  version: 'test',
  keep_file,
  issuer,
  base: DEMO_ES256,
});
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
