// Runs the engine and the control server without a window, prints where they are, and stops them: the first signal
// drains connections, the second one exits immediately. The process always exits within GRACE_MS.

import { constants } from 'node:os';
import type { ServerState } from '../../../control/schemas.ts';
import { createEngine, type Engine } from '../../../engine/engine.ts';
import { type ControlServer, startControlServer } from '../../../engine/control-server/server.ts';
import { announceInstance, forgetInstance } from '../../../engine/run-file.ts';
import { withoutCredentials } from '../../../redact/redactor.ts';
import { dataFolder } from '../../data-folder.ts';
import { openInBrowser } from '../../browser.ts';
import { exchangeLine } from '../../terminal/exchange-line.ts';
import type { Certificate } from './https.ts';
import type { Build } from '../command.ts';
import type { ServeOptions } from './options.ts';

const LOOPBACK = '127.0.0.1';

function open(
  options: ServeOptions,
  certificate: Certificate | null,
  version: string,
): Promise<Engine> {
  const { host, port, controlPort, issuer, workspace, save, keep, shape } = options;
  return createEngine({
    host,
    port,
    reserved_ports: [controlPort],
    version,
    certificate_folder: dataFolder(),
    tls: certificate === null ? undefined : { ...certificate.tls, file: certificate.file },
    issuer,
    workspace: workspace === undefined ? undefined : { file: workspace, save },
    provider: shape,
    keep_file: keep,
  });
}

function logExchanges(engine: Engine): void {
  const colours = process.stderr.isTTY && !process.env['NO_COLOR'];
  engine.onExchange((exchange) => process.stderr.write(`${exchangeLine(exchange, colours)}\n`));
}

async function secure({ https, certOut }: ServeOptions): Promise<Certificate | null> {
  if (https === undefined) return null;
  const { chooseCertificate, copyCertificate } = await import('./https.ts');
  const certificate = await chooseCertificate(https);
  if (certOut !== undefined) copyCertificate(certificate, certOut);
  if (certificate.notice !== null) process.stderr.write(`${certificate.notice}\n`);
  return certificate;
}

function printTrust(certificate: Certificate, issuer: string, json: boolean): void {
  const { file, self_signed, mismatch } = certificate;
  if (!json && self_signed) process.stdout.write(`${trustText(file, issuer)}\n`);
  const hint = mismatch(issuer);
  if (hint !== null) process.stderr.write(`${hint}\n`);
}

function hintAtIssuer({ host, issuer }: ServeOptions, named: string): void {
  if (host === undefined || issuer !== undefined) return;
  process.stderr.write(
    `Listening on ${host}, but the issuer is ${named}. Set --issuer if clients use another name.\n`,
  );
}

/** Warns if the issuer changes at each start: an access token is valid only for the issuer that it names. */
function hintAtKept({ keep, port }: ServeOptions, server: ServerState): void {
  if (keep === undefined || port !== 0 || !server.issuer.endsWith(`:${server.port}`)) return;
  process.stderr.write(
    `Tokens are kept in ${keep}, but the port in the issuer changes at each start. Set --port or --issuer.\n`,
  );
}

/** The bad ports of the Fetch standard, 2.9. */
const BLOCKED = [
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
];

/** Returns a line if browsers do not connect to one of these ports; null otherwise. */
export function blockedPortHint(ports: readonly number[]): string | null {
  const blocked = ports.find((port) => BLOCKED.includes(port));
  if (blocked === undefined) return null;
  return `Browsers, and fetch in Node.js, refuse to connect to port ${blocked}. Choose another one (--port, --control-port).`;
}

/** Registers the instance so that commands find it. If the file cannot be written, commands need --control. */
function announce(engine: Engine, { url, token }: ControlServer): void {
  const { issuer, port } = engine.server();
  try {
    announceInstance(dataFolder(), { kind: 'serve', issuer, port, control: { url, token } });
  } catch (error) {
    const why = (error as Error).message;
    process.stderr.write(`Commands cannot find this instance without --control: ${why}\n`);
  }
}

/** Registers the instance, also after it has moved. @returns removes the registration */
function keepAnnounced(engine: Engine, control: ControlServer): () => void {
  announce(engine, control);
  const end = engine.onAddress(() => {
    announce(engine, control);
  });
  return () => {
    end();
    forgetInstance(dataFolder(), process.pid);
  };
}

export async function serve(options: ServeOptions, build: Build): Promise<void> {
  const shutdown = createShutdown();
  process.stdout.on('error', () => shutdown.begin());
  const certificate = await secure(options);
  const engine = await open(options, certificate, build.version);
  shutdown.add(() => engine.close());
  if (!options.quiet) logExchanges(engine);
  const server = await engine.start();
  const control = await startControlServer(engine, {
    host: options.controlHost ?? LOOPBACK,
    port: options.controlPort,
    token: options.controlToken,
    allowHosts: options.allowHost,
    page: options.ui ? build.page : null,
  });
  const withdraw = keepAnnounced(engine, control);
  shutdown.add(async () => {
    withdraw();
    await control.close();
  });
  const text = options.json
    ? readyEvent(server, control, certificate?.file)
    : readyText(server, control, options.ui);
  process.stdout.write(`${text}\n`);
  if (certificate !== null) printTrust(certificate, server.issuer, options.json);
  hintAtIssuer(options, server.issuer);
  hintAtKept(options, server);
  const hint = blockedPortHint([server.port, Number(new URL(control.url).port)]);
  if (hint !== null) process.stderr.write(`${hint}\n`);
  if (options.open && options.ui) openInBrowser(control.linkOnce(), 'after "Workbench"');
}

type ControlAddress = Pick<ControlServer, 'url' | 'token'>;

/** Prints one JSON line for programs. @param certificate file of the certificate, over HTTPS */
function readyEvent(
  server: ServerState,
  { url, token }: ControlAddress,
  certificate?: string,
): string {
  const { issuer, token_endpoint } = server;
  return JSON.stringify({
    event: 'ready',
    issuer,
    token_endpoint,
    certificate,
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

function readyText(server: ServerState, control: ControlAddress, ui: boolean): string {
  const rows: Row[] = [
    ['Base URL', server.issuer],
    ['Token endpoint', server.endpoints.token],
    ui
      ? ['Workbench', `${control.url}/#token=${control.token}`]
      : ['Control API', `${control.url}/api, Authorization: Bearer ${control.token}`],
    ['Workspace', workspaceInWords(server)],
  ];
  return `Grantbench ${server.version} is ready. Press Ctrl+C to stop it.\n${inRows(rows)}`;
}

/** Quotes a word for the shell of the platform: PowerShell on Windows. */
function inShell(text: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return `'${text.replaceAll("'", "''")}'`;
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns how clients can be configured to trust a self-signed certificate. */
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

/** Servers close connections after 5 s. This limit applies if that fails or something else hangs. */
const GRACE_MS = 8000;

/** On Windows, Ctrl+Break is SIGBREAK, the only signal that one program can send to another. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

export function createShutdown() {
  /** In this order. */
  const closers: (() => Promise<void>)[] = [];
  let begun = false;

  async function drain(): Promise<void> {
    for (const close of closers) await close();
    process.exit(0);
  }

  function begin(): void {
    if (begun) return;
    begun = true;
    setTimeout(() => {
      process.stderr.write(`Stopped before everything was closed, after ${GRACE_MS / 1000} s.\n`);
      process.exit(1);
    }, GRACE_MS);
    drain().catch((error: unknown) => {
      process.stderr.write(`Stopped with an error: ${withoutCredentials(String(error))}\n`);
      process.exit(1);
    });
  }

  for (const signal of SIGNALS) {
    process.on(signal, () => (begun ? process.exit(128 + constants.signals[signal]) : begin()));
  }
  return { add: (close: () => Promise<void>) => void closers.push(close), begin };
}
