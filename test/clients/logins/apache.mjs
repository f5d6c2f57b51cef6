// Apache with mod_auth_openidc, as Debian packages them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const APACHE_MODULES = '/usr/lib/apache2/modules';

/**
 * Writes a configuration that serves `home`, and returns the arguments of Apache.
 *
 * @param {string} folder for all files
 * @param {number} port
 * @param {string} settings of the module
 */
export function apacheArguments(folder, port, settings) {
  const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'auth_openidc', 'dir'];
  const configuration = `ServerRoot "${folder}"
ServerName localhost
Listen 127.0.0.1:${port}
PidFile "${folder}/apache.pid"
Mutex file:${folder} default
User www-data
Group www-data
${modules.map((name) => `LoadModule ${name}_module "${APACHE_MODULES}/mod_${name}.so"`).join('\n')}
ErrorLog "${folder}/error.log"
LogLevel notice
DocumentRoot "${folder}/pages"
DirectoryIndex index.txt
${settings}
`;
  mkdirSync(join(folder, 'pages'));
  writeFileSync(join(folder, 'pages', 'index.txt'), 'home');
  writeFileSync(join(folder, 'apache.conf'), configuration);
  return ['-X', '-f', join(folder, 'apache.conf')];
}
