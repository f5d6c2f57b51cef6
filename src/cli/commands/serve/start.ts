// The headless run: the engine, the control server, and what is told about them.

import type { ServerState } from '../../../control/schemas.ts';
import { createEngine, type Engine } from '../../../engine/engine.ts';
import { startControlServer, type ControlServer } from '../../../engine/control-server/server.ts';
import { announceInstance, forgetInstance } from '../../../engine/instance/run-file.ts';
import { readyEvent, readyText, trustText } from './announce.ts';
import { dataFolder } from '../../instance/data-folder.ts';
import { openInBrowser } from './browser.ts';
import { exchangeLine } from '../../terminal/exchange-line.ts';
import type { Certificate } from './https.ts';
import type { Build } from '../command.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import type { ServeOptions } from './options.ts';

const LOOPBACK = '127.0.0.1';

function open(
  options: ServeOptions,
  certificate: Certificate | null,
  version: string,
): Promise<Engine> {
  const { host, port, controlPort, issuer, workspace, save, keep, shape } = options;
  return createEngine({
    port,
    reserved_ports: [controlPort],
    version,
    ...(host === undefined ? {} : { host }),
    certificate_folder: dataFolder(),
    ...(certificate === null ? {} : { tls: { ...certificate.tls, file: certificate.file } }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(workspace === undefined ? {} : { workspace: { file: workspace, save } }),
    ...(shape === undefined ? {} : { provider: shape }),
    ...(keep === undefined ? {} : { keep_file: keep }),
  });
}

/** Whoever read the output may go away; that is no fault of ours (EPIPE). */
function outliveReaders(shutdown: Shutdown): void {
  process.stdout.on('error', () => shutdown.begin());
  process.stderr.on('error', () => undefined);
}

function tellExchanges(engine: Engine): void {
  const colours = process.stderr.isTTY && !process.env['NO_COLOR'];
  engine.onExchange((exchange) => process.stderr.write(`${exchangeLine(exchange, colours)}\n`));
}

async function secure({ https, certOut }: ServeOptions): Promise<Certificate | null> {
  if (https === undefined) return null;
  const { chooseCertificate, copyCertificate } = await import('./https.ts');
  const certificate = await chooseCertificate(https);
  if (certOut !== undefined) copyCertificate(certificate, certOut);
  if (certificate.news !== null) process.stderr.write(`${certificate.news}\n`);
  return certificate;
}

function tellCertificate(certificate: Certificate, issuer: string, json: boolean): void {
  const { file, self_signed, misfit } = certificate;
  if (!json && self_signed) process.stdout.write(`${trustText(file, issuer)}\n`);
  const hint = misfit(issuer);
  if (hint !== null) process.stderr.write(`${hint}\n`);
}

function hintAtIssuer({ host, issuer }: ServeOptions, named: string): void {
  if (host === undefined || issuer !== undefined) return;
  process.stderr.write(
    `Listening on ${host}, but the issuer is ${named}. Set --issuer if clients use another name.\n`,
  );
}

/** An access token is of the issuer that it names, and of no other. */
function hintAtKept({ keep, port }: ServeOptions, server: ServerState): void {
  if (keep === undefined || port !== 0 || !server.issuer.endsWith(`:${server.port}`)) return;
  process.stderr.write(
    `Tokens are kept in ${keep}, but the port in the issuer changes at each start. Set --port or --issuer.\n`,
  );
}

/** For commands to find. Where that cannot be written they can still be told the address. */
function announce(engine: Engine, { url, token }: ControlServer): void {
  const { issuer, port } = engine.server();
  try {
    announceInstance(dataFolder(), { kind: 'serve', issuer, port, control: { url, token } });
  } catch (error) {
    const why = (error as Error).message;
    process.stderr.write(`Commands cannot find this instance without --control: ${why}\n`);
  }
}

/** Says where the service is, also after it was moved. @returns takes it back */
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
  outliveReaders(shutdown);
  const certificate = await secure(options);
  const engine = await open(options, certificate, build.version);
  shutdown.add(() => engine.close());
  if (!options.quiet) tellExchanges(engine);
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
  if (certificate !== null) tellCertificate(certificate, server.issuer, options.json);
  hintAtIssuer(options, server.issuer);
  hintAtKept(options, server);
  if (options.open && options.ui) openInBrowser(control.linkOnce());
}
