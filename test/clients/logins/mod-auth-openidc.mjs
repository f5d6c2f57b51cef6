// A login with mod_auth_openidc in Apache, as its documentation has it. It asks for UserInfo itself.

import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CLIENT, ISSUER } from '../../support/logins/sign-in.mjs';
import { apacheArguments } from './apache.mjs';
import { ORIGIN, signInAt } from './app.mjs';

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });

/** @param {number} port */
const listens = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.end());
  });

const port = await freePort();
const folder = mkdtempSync(join(tmpdir(), 'grantbench-apache-'));
chmodSync(folder, 0o755);
const args = apacheArguments(
  folder,
  port,
  `OIDCProviderMetadataURL ${ISSUER}/.well-known/openid-configuration
OIDCClientID ${CLIENT.client_id}
OIDCClientSecret ${CLIENT.client_secret}
OIDCProviderTokenEndpointAuth client_secret_post
OIDCRedirectURI ${ORIGIN}/callback
OIDCCryptoPassphrase ${'s'.repeat(32)}
OIDCScope "openid profile email"
OIDCPKCEMethod S256
OIDCRemoteUserClaim sub
<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>`,
);
const apache = spawn('/usr/sbin/apache2', args, { stdio: 'ignore' });
while (apache.exitCode === null && !(await listens(port)));
const signedIn = await signInAt(
  port,
  (visit) => visit('/'),
  async (visit) => (await visit('/')).text === 'home',
);
apache.once('exit', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(signedIn ? 0 : 1);
});
apache.kill();
