// The flags of `serve`, each with the environment variable that stands in for it, and the rules between
// them.

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
} from '../flag-values.ts';

export const DEFAULT_PORT = 4280;
export const DEFAULT_CONTROL_PORT = 4281;

/** Files in PEM format. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ServeOptions {
  /** Where the OAuth endpoints listen; both loopback addresses when left out. */
  readonly host?: string;
  readonly port: number;
  readonly controlPort: number;
  /** Where the page and the control API listen; loopback when left out. */
  readonly controlHost?: string;
  /** Further names they may be called by, with or without port. */
  readonly allowHost?: readonly string[];
  /** HTTPS with the certificate kept for this machine's names, or with one's own; HTTP when left out. */
  readonly https?: 'kept' | CertificateFiles;
  /** A file that gets a copy of the kept certificate, for everyone to read. */
  readonly certOut?: string;
  /** Made anew at each start when left out. */
  readonly controlToken?: string;
  readonly ui: boolean;
  /** Opens the page, if it is served, in the browser. */
  readonly open: boolean;
  readonly workspace?: string;
  readonly save: boolean;
  /** A file for what lets access tokens outlive a restart; nothing is kept when left out. */
  readonly keep?: string;
  readonly issuer?: string;
  /** The provider to imitate. */
  readonly shape?: Provider;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** A switch that was not given is absent, so that --help need not say "default: false". */
type Switch = 'ui' | 'open' | 'save' | 'quiet' | 'json' | 'https';

type Switches = { readonly [Name in Switch]?: boolean | undefined };

/** As commander hands them over. */
export type GivenServe = Omit<ServeOptions, Switch> &
  Switches & { readonly cert?: string | undefined; readonly key?: string | undefined };

/** An empty variable counts as none: container files often name all of them. */
const namesNothing = (env: string) => process.env[env] === '';

function withValue<T>(
  flags: string,
  what: string,
  env: string,
  parse: (value: string, former: T) => T,
): Option {
  const option = new Option(flags, what).argParser(parse);
  return namesNothing(env) ? option : option.env(env);
}

/** commander would take any value of its variable, even 0, for a yes: these are read below. */
const aSwitch = (flag: string, what: string, variable: string) =>
  new Option(flag, `${what} (env: ${variable})`);

export const portOptions = () => [
  withValue('--port <number>', 'port of the OAuth endpoints', 'GRANTBENCH_PORT', parsePort).default(
    DEFAULT_PORT,
  ),
  withValue(
    '--control-port <number>',
    'port of the workbench page and the control API',
    'GRANTBENCH_CONTROL_PORT',
    parsePort,
  ).default(DEFAULT_CONTROL_PORT),
];

export const keepOption = () =>
  withValue(
    '--keep <file>',
    'keep keys and revocations in this file, so that access tokens survive a restart',
    'GRANTBENCH_KEEP',
    parseFile,
  );

/** Beside a token endpoint, the variable describes a sandbox that runs already, as `exec` does. */
function issuerOption(): Option {
  const text = 'issuer in tokens and metadata';
  const described = Boolean(process.env['GRANTBENCH_TOKEN_ENDPOINT']);
  if (described) return new Option('--issuer <url>', text).argParser(parseIssuer);
  return withValue('--issuer <url>', text, 'GRANTBENCH_ISSUER', parseIssuer);
}

export const shapeOption = () =>
  withValue(
    '--shape <provider>',
    'imitate this provider',
    'GRANTBENCH_SHAPE',
    (value) => value,
  ).choices(PROVIDERS);

const addressOptions = () => [
  withValue(
    '--host <host>',
    'where the OAuth endpoints listen (default: loopback only)',
    'GRANTBENCH_HOST',
    parseHost,
  ),
  ...portOptions(),
  withValue(
    '--control-host <host>',
    'where the page and the control API listen (default: loopback only, regardless of --host)',
    'GRANTBENCH_CONTROL_HOST',
    parseHost,
  ),
  withValue(
    '--allow-host <names>',
    'additional host names for the page and the control API; a list, or repeat the flag',
    'GRANTBENCH_ALLOW_HOST',
    parseHosts,
  ),
  issuerOption(),
];

const certificateOptions = () => [
  aSwitch(
    '--https',
    'serve HTTPS; generates and keeps a certificate for localhost',
    'GRANTBENCH_HTTPS=1',
  ),
  withValue('--cert <file>', 'serve HTTPS with this certificate', 'GRANTBENCH_CERT', parseFile),
  withValue(
    '--key <file>',
    'the private key of the certificate, without a passphrase',
    'GRANTBENCH_KEY',
    parseFile,
  ),
  withValue(
    '--cert-out <file>',
    'with --https: copy the generated certificate to this file, which every user may read',
    'GRANTBENCH_CERT_OUT',
    parseFile,
  ),
];

const workspaceOptions = () => [
  withValue(
    '--workspace <file>',
    'read clients, users and settings from this file',
    'GRANTBENCH_WORKSPACE',
    parseFile,
  ),
  shapeOption(),
  aSwitch('--save', 'write changes back to the workspace file', 'GRANTBENCH_SAVE=1'),
  keepOption(),
];

const tellingOptions = () => [
  aSwitch('--no-ui', 'do not serve the workbench page', 'GRANTBENCH_UI=0'),
  aSwitch('--open', 'open the workbench page in the browser', 'GRANTBENCH_OPEN=1'),
  aSwitch('--quiet', 'do not log exchanges on standard error', 'GRANTBENCH_QUIET=1'),
  aSwitch('--json', 'print one JSON line when ready, and nothing else', 'GRANTBENCH_JSON=1'),
];

export const serveOptions = () => [
  ...addressOptions(),
  ...certificateOptions(),
  ...workspaceOptions(),
  ...tellingOptions(),
];

/** What the switch's variable says, unless a flag says otherwise. */
function switchOf(command: Command, name: Switch, given: boolean | undefined): boolean | undefined {
  if (command.getOptionValueSource(name) === 'cli') return given;
  const variable = `GRANTBENCH_${name.toUpperCase()}`;
  const value = process.env[variable];
  if (!value) return given;
  return (
    isSwitchedOn(value) ??
    command.error(`error: ${variable} must be 1, or 0 or empty; not ${value}.`)
  );
}

function givenHttps(command: Command, { https, cert, key }: GivenServe): ServeOptions['https'] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert !== undefined || key !== undefined) {
    const missing = cert === undefined ? '--cert' : '--key';
    command.error(`error: --cert and --key belong together: ${missing} <file> is missing.`);
  }
  return switchOf(command, 'https', https) === true ? 'kept' : undefined;
}

function checkTogether(
  command: Command,
  { port, controlPort, save, workspace, keep, https, issuer, certOut }: ServeOptions,
): void {
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

/** The flags and variables together. Ends the command with what is wrong about them. */
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
