// Parses and checks the values of flags and environment variables, for all commands.

import { isIP } from 'node:net';
import { InvalidArgumentError, Option, type Command } from 'commander';

/** Returns the members that were given, without undefined ones. */
export function given<T extends Readonly<Record<string, unknown>>>(members: T) {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** Adds the value of a flag that may be repeated. */
export const collect = (value: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  value,
];

export function parsePort(value: string): number {
  const port = Number(value);
  if (/^\d{1,5}$/.test(value) && port <= 65_535) return port;
  throw new InvalidArgumentError(
    'A port must be a whole number from 0 to 65535; 0 selects a free port.',
  );
}

export const isControlUrl = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text);

export const parseWhole =
  (least: number, most = Infinity) =>
  (value: string): number => {
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most)
      return Number(value);
    const range = most === Infinity ? `, at least ${least}` : ` from ${least} to ${most}`;
    throw new InvalidArgumentError(`It must be a whole number${range}.`);
  };

export function parseHost(value: string): string {
  const host = value.replace(/^\[(.*)\]$/, '$1');
  if (/^[\w.:%-]+$/.test(host)) return host;
  throw new InvalidArgumentError(
    'A host must be a name or an address without scheme and port, such as 127.0.0.1, 0.0.0.0, :: or localhost.',
  );
}

const NAME = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/** Parses comma-separated names and adds them to those of earlier flags. */
export function parseHosts(value: string, former: readonly string[] = []): readonly string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.every((name) => NAME.test(name))) return [...former, ...names];
  throw new InvalidArgumentError(
    'It must be a comma-separated list of names without scheme and path, such as sandbox.test,build.lan:4281.',
  );
}

/** Parses an IP address and adds it to those of earlier flags. */
export function parseAddress(value: string, former: readonly string[] = []): readonly string[] {
  if (isIP(value) !== 0) return [...former, value];
  throw new InvalidArgumentError('It must be an IP address.');
}

export function parseFile(value: string): string {
  if (value !== '') return value;
  throw new InvalidArgumentError('The file name must not be empty.');
}

/** Parses an issuer identifier (RFC 8414 2). */
export function parseIssuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null;
  const plain = /^https?:\/\/[^\s?#@/][^\s?#@]*$/.test(value) && !value.endsWith('//');
  if (plain && url !== null && value.length <= 500) return value;
  throw new InvalidArgumentError(
    'An issuer must be an http or https URL without query, fragment or user (RFC 8414 2), with at most one trailing slash.',
  );
}

/** Parses a switch in an environment variable; null when it is neither on nor off. */
export function isSwitchedOn(value: string): boolean | null {
  if (value === '1' || value === 'true') return true;
  return ['', '0', 'false'].includes(value) ? false : null;
}

/** As strong as a generated token, so that it cannot be guessed, and safe in a URL. */
function isControlToken(value: string): boolean {
  return /^[\w.~-]{22,200}$/.test(value);
}

/** Read only from the environment, because other users could read a flag in the process list. */
export function givenControlToken(command: Command): { readonly controlToken?: string } {
  const controlToken = process.env['GRANTBENCH_CONTROL_TOKEN'];
  if (!controlToken) return {};
  if (isControlToken(controlToken)) return { controlToken };
  return command.error(
    'error: GRANTBENCH_CONTROL_TOKEN must be random: 22 to 200 letters, digits, or - . _ ~.',
  );
}

/** Ends the command if one of these flags was given, which would have no effect. @param names as in its options */
export function rejectFlags(command: Command, names: readonly string[], why: string): void {
  const useless = command.options.find(
    (option) =>
      names.includes(option.attributeName()) &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (useless !== undefined) command.error(`error: ${useless.long ?? ''} ${why}`);
}

const FORMATS = { tap: 'TAP', xml: 'JUnit', json: 'JSON', sarif: 'SARIF' } as const;

const listed = (words: readonly string[]) =>
  `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;

/** Returns the flag for files of reports in these formats, which follow from the file extensions. */
export function reportOption(...endings: readonly (keyof typeof FORMATS)[]): Option {
  const formats = endings.map((ending) => `${FORMATS[ending]} (.${ending})`);
  const option = new Option('--report <file>', `write a report: ${listed(formats)}`);
  return option.argParser((value, former: readonly string[] | undefined) => {
    if (endings.some((ending) => value.toLowerCase().endsWith(`.${ending}`))) {
      return [...(former ?? []), value];
    }
    throw new InvalidArgumentError(
      `The file name must end in ${listed(endings.map((ending) => `.${ending}`))}.`,
    );
  });
}

/** What `exec` can fail on. */
export const FAIL_ON = ['redundant', 'throttled', 'refused', 'deviation'] as const;
export type FailOn = (typeof FAIL_ON)[number];

/** Adds the kinds of a list to those of earlier flags. */
export function parseFailOn(value: string, former: readonly FailOn[] = []): readonly FailOn[] {
  const words = value.split(',').map((word) => word.trim());
  const known = words.filter((word): word is FailOn => FAIL_ON.some((one) => one === word));
  if (known.length === words.length) return [...new Set([...former, ...known])];
  throw new InvalidArgumentError(`It must be a comma-separated list of ${FAIL_ON.join(', ')}.`);
}
