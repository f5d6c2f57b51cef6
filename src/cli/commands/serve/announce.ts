// What `serve` says once it is ready: one JSON line for programs, a few lines for people.

import type { ServerState } from '../../../control/schemas.ts';

export interface ControlAddress {
  readonly url: string;
  readonly token: string;
}

/** @param certificate its file, over HTTPS */
export function readyEvent(
  server: ServerState,
  { url, token }: ControlAddress,
  certificate?: string,
): string {
  const { issuer, token_endpoint } = server;
  return JSON.stringify({
    event: 'ready',
    issuer,
    token_endpoint,
    ...(certificate === undefined ? {} : { certificate }),
    control: { url, token },
  });
}

type Row = readonly [name: string, value: string];

const inRows = (rows: readonly Row[]) =>
  rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`).join('\n');

function workspaceInWords({ workspace }: ServerState): string {
  const place = workspace.file === null ? 'in memory' : workspace.file;
  const saved = workspace.state === 'memory' ? 'changes are not saved' : 'changes are saved';
  return `${workspace.name} (${place}; ${saved})`;
}

export function readyText(server: ServerState, control: ControlAddress, ui: boolean): string {
  const rows: Row[] = [
    ['Base URL', server.issuer],
    ['Token endpoint', server.token_endpoint],
    ui
      ? ['Workbench', `${control.url}/#token=${control.token}`]
      : ['Control API', `${control.url}/api, Authorization: Bearer ${control.token}`],
    ['Workspace', workspaceInWords(server)],
  ];
  return `Grantbench ${server.version} is ready. Press Ctrl+C to stop it.\n${inRows(rows)}`;
}

/** As the shell of the platform reads a word: PowerShell on Windows. */
function inShell(text: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `'${text.replaceAll("'", "''")}'`;
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** What makes clients trust a certificate that vouches for itself. */
export function trustText(
  certificate: string,
  issuer: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const file = inShell(certificate, platform);
  const variable = (name: string) =>
    platform === 'win32' ? `$env:${name}=${file}` : `${name}=${file}`;
  const store = '-keystore grantbench.p12 -storepass changeit';
  return `To trust its certificate:\n${inRows([
    ['Node.js', variable('NODE_EXTRA_CA_CERTS')],
    ['curl', `curl --cacert ${file}`],
    ['Python, Go', variable('SSL_CERT_FILE')],
    ['Java', `keytool -importcert -noprompt -alias grantbench -file ${file} ${store}`],
    ['', '-Djavax.net.ssl.trustStore=grantbench.p12 -Djavax.net.ssl.trustStorePassword=changeit'],
    ['Browsers', `open ${issuer} once and accept the certificate, or import the file as trusted`],
  ])}`;
}
