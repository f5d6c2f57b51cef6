// A process that changes what it stores as fast as it is stored, until it is killed, and prints a line before and after
// each step. `save <file>` changes a setting of its workspace: `changed <limit>` before and `saved <limit>` after each save,
// or `failed <message>`. `keep <file> <issuer>` issues access tokens, revokes every second one and sometimes rotates its
// keys: `step` before each, and `good <token>` or `revoked <token>` for stored states; after `revoking <token>`, the state is
// either until `revoked` follows.

import { createEngine, type EngineOptions } from '../../../src/engine/engine.ts';
import { DEMO_ES256 } from '../../support/demo-es256.ts';

// Makes a file that exceeds its limit an error, like a full disk, instead of ending the process.
process.on('SIGXFSZ', () => undefined);

const [what, file = '', issuer = ''] = process.argv.slice(2);
const tell = (text: string) => process.stdout.write(`${text}\n`);

const start = (options: Partial<EngineOptions>) =>
  createEngine({ port: 0, version: 'test', ...options });

async function save(): Promise<void> {
  const engine = await start({ workspace: { file, save: true } });
  const { service } = engine;
  for (;;) {
    const settings = service.settings();
    const limit = settings.throttle.limit + 1;
    service.setSettings({ ...settings, throttle: { ...settings.throttle, limit } });
    tell(`changed ${limit}`);
    await engine.flush();
    const { state, message } = engine.server().workspace;
    if (state !== 'saved') return void tell(`${state} ${message ?? ''}`);
    tell(`saved ${limit}`);
  }
}

async function keep(): Promise<never> {
  const engine = await start({ keep_file: file, issuer, base: DEMO_ES256 });
  const { service } = engine;
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
}

await (what === 'keep' ? keep() : save());
