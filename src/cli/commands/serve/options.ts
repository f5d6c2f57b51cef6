// The flags of `serve`, each with its environment variable, and the rules for their combinations.

import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { PROVIDERS, type Provider } from '../../../control/names.ts';
import {
  givenControlToken,
  isSwitchedOn,
  parseFile,
  parseHost,
  parseHosts,
  parseIssuer,
  parsePort,
  rejectFlags,
} from '../flag-values.ts';

export const DEFAULT_PORT = 4280;
export const DEFAULT_CONTROL_PORT = 4281;

/** Files in PEM format. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ServeOptions {
  /** The host of the OAuth endpoints; both loopback addresses if undefined. */
  readonly host?: string;
  readonly port: number;
  readonly controlPort: number;
  /** The host of the page and the control API; loopback if undefined. */
  readonly controlHost?: string;
  /** Additional host names of the page and the control API, with or without port. */
  readonly allowHost?: readonly string[];
  /** Serves HTTPS, with the kept certificate unless `cert` and `key` are given; HTTP if undefined. */
  readonly https?: 'kept' | CertificateFiles;
  /** A file for a copy of the kept certificate that everyone can read. */
  readonly certOut?: string;
  /** Generated at each start if undefined. */
  readonly controlToken?: string;
  readonly ui: boolean;
  /** Opens the page in the browser, if the page is served. */
  readonly open: boolean;
  readonly workspace?: string;
  readonly save: boolean;
  /** A file that keeps access tokens valid after a restart; nothing is kept if undefined. */
  readonly keep?: string;
  readonly issuer?: string;
  readonly shape?: Provider;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** A switch that was not given is absent, so that --help does not print "default: false". */
type Switch = 'ui' | 'open' | 'save' | 'quiet' | 'json' | 'https';

type Switches = { readonly [Name in Switch]?: boolean | undefined };

/** The flags as commander returns them. */
export type GivenServe = Omit<ServeOptions, Switch> &
  Switches & { readonly cert?: string | undefined; readonly key?: string | undefined };

/** Returns the name of a flag's environment variable. */
const variableOf = (flag: string): string =>
  `GRANTBENCH_${flag
    .replace(/^--(no-)?/, '')
    .replaceAll('-', '_')
    .toUpperCase()}`;

/** An empty variable counts as unset, because container files often list all variables. */
function withValue<T>(flags: string, what: string, parse: (value: string, former: T) => T): Option {
  const option = new Option(flags, what).argParser(parse);
  const variable = variableOf(option.long ?? '');
  return process.env[variable] === '' ? option : option.env(variable);
}

/** These variables are read below, because commander would read any value as true, even 0. */
const aSwitch = (flag: string, what: string) =>
  new Option(flag, `${what} (env: ${variableOf(flag)}=${flag.startsWith('--no-') ? 0 : 1})`);

export const portOptions = () => [
  withValue('--port <number>', 'port of the OAuth endpoints', parsePort).default(DEFAULT_PORT),
  withValue(
    '--control-port <number>',
    'port of the workbench page and the control API',
    parsePort,
  ).default(DEFAULT_CONTROL_PORT),
];

export const keepOption = () =>
  withValue(
    '--keep <file>',
    'keep keys and revocations in this file, so that access tokens remain valid after a restart',
    parseFile,
  );

/** Together with a token endpoint, the variable describes a sandbox that is already running, as `exec` sets it. */
export function issuerOption(): Option {
  const text = 'issuer in tokens and metadata';
  const described = Boolean(process.env['GRANTBENCH_TOKEN_ENDPOINT']);
  if (described) return new Option('--issuer <url>', text).argParser(parseIssuer);
  return withValue('--issuer <url>', text, parseIssuer);
}

export const shapeOption = () =>
  withValue('--shape <provider>', 'imitate this provider', (value) => value).choices(PROVIDERS);

const addressOptions = () => [
  withValue(
    '--host <host>',
    'host to listen on for the OAuth endpoints (default: loopback only)',
    parseHost,
  ),
  ...portOptions(),
  withValue(
    '--control-host <host>',
    'host to listen on for the page and the control API (default: loopback only, regardless of --host)',
    parseHost,
  ),
  withValue(
    '--allow-host <names>',
    'additional host names for the page and the control API; a list, or repeat the flag',
    parseHosts,
  ),
  issuerOption(),
];

export const certificateOptions = () => [
  aSwitch('--https', 'serve HTTPS with a generated localhost certificate'),
  withValue('--cert <file>', 'serve HTTPS with this certificate', parseFile),
  withValue('--key <file>', 'the private key of the certificate, without a passphrase', parseFile),
  withValue(
    '--cert-out <file>',
    'with --https: copy the generated certificate to this file, which every user can read',
    parseFile,
  ),
];

const workspaceOptions = () => [
  withValue('--workspace <file>', 'read clients, users and settings from this file', parseFile),
  shapeOption(),
  aSwitch('--save', 'write changes back to the workspace file'),
  keepOption(),
];

const outputOptions = () => [
  aSwitch('--no-ui', 'do not serve the workbench page'),
  aSwitch('--open', 'open the workbench page in the browser'),
  aSwitch('--quiet', 'do not log exchanges to standard error'),
  aSwitch('--json', 'print only one JSON line, when ready'),
];

export const serveOptions = () => [
  ...addressOptions(),
  ...certificateOptions(),
  ...workspaceOptions(),
  ...outputOptions(),
];

/** Returns the value of the switch's variable, unless a flag overrides it. */
function switchOf(command: Command, name: Switch, given: boolean | undefined): boolean | undefined {
  if (command.getOptionValueSource(name) === 'cli') return given;
  const variable = variableOf(name);
  const value = process.env[variable];
  if (!value) return given;
  return (
    isSwitchedOn(value) ?? command.error(`error: ${variable} must be 1, 0 or empty, not ${value}.`)
  );
}

export function givenHttps(
  command: Command,
  { https, cert, key }: Pick<GivenServe, 'https' | 'cert' | 'key'>,
): ServeOptions['https'] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== undefined || key !== undefined) {
    const missing = cert === undefined ? '--cert' : '--key';
    command.error(`error: --cert and --key must be given together: ${missing} <file> is missing.`);
  }
  return switchOf(command, 'https', https) === true ? 'kept' : undefined;
}

function checkTogether(
  command: Command,
  { port, controlPort, ui, save, workspace, keep, https, issuer, certOut }: ServeOptions,
): void {
  if (!ui) rejectFlags(command, ['open'], 'has no effect without the page (--no-ui).');
  if (port === controlPort && port !== 0) {
    command.error(`error: --port and --control-port are both ${port}; they must differ.`);
  }
  if (save && workspace === undefined) {
    command.error('error: --save needs --workspace <file>, which names the file to write.');
  }
  if (keep !== undefined && workspace !== undefined && resolve(keep) === resolve(workspace)) {
    command.error(`error: --keep and --workspace are both ${keep}; they must differ.`);
  }
  if (certOut !== undefined && https !== 'kept') {
    command.error(
      'error: --cert-out needs --https without --cert: it copies the generated certificate.',
    );
  }
  for (const [flag, file] of Object.entries({ '--keep': keep, '--workspace': workspace })) {
    if (certOut === undefined || file === undefined || resolve(certOut) !== resolve(file)) continue;
    command.error(`error: --cert-out and ${flag} are both ${certOut}; they must differ.`);
  }
  if (https !== undefined && issuer?.startsWith('http:')) {
    command.error(
      `error: --issuer must begin with https:// when HTTPS is served; it is ${issuer}.`,
    );
  }
}

/** Merges flags and variables. Ends the command with an error if they are invalid. */
export function resolveServe(command: Command, given: GivenServe): ServeOptions {
  const { cert: _cert, key: _key, https: _https, ...values } = given;
  const https = givenHttps(command, given);
  const options: ServeOptions = {
    ...values,
    ...givenControlToken(command),
    ...(https === undefined ? {} : { https }),
    ui: switchOf(command, 'ui', given.ui) ?? true,
    open: switchOf(command, 'open', given.open) ?? false,
    save: switchOf(command, 'save', given.save) ?? false,
    quiet: switchOf(command, 'quiet', given.quiet) ?? false,
    json: switchOf(command, 'json', given.json) ?? false,
  };
  checkTogether(command, options);
  return options;
}
