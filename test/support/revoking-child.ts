// A process that stores its state and serves HTTP until it is killed. Prints its URL and tokens to revoke as one line
// of JSON.

import { createEngine } from '../../src/engine/engine.ts';
import { DEMO_ES256 } from './demo-es256.ts';
import { startControlServer } from '../../src/engine/control-server/server.ts';
import { lineageId } from '../../src/core/model/credentials.ts';

const [keep_file = '', issuer = '', count = '0'] = process.argv.slice(2);
const engine = await createEngine({
  port: 0,
  version: 'test',
  keep_file,
  issuer,
  base: DEMO_ES256,
});
await engine.start();
const control = await startControlServer(engine, { host: '127.0.0.1', port: 0, page: null });
const { service } = engine;

const tokens: object[] = [];
for (let n = 0; n < Number(count); n++) {
  const { access_token, refresh_token, lineage } = await service.mint({ client_id: 'demo-app' });
  const code = await service.authorize({
    client_id: 'demo-app',
    redirect_uri: 'http://localhost:3000/callback',
  });
  tokens.push({ access_token, refresh_token, lineage_id: lineageId(lineage), code: code.value });
}
await engine.flush();
const { port } = engine.server();
const ready = { port, control: { url: control.url, token: control.token }, tokens };
process.stdout.write(`${JSON.stringify(ready)}\n`);
