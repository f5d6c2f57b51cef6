// Which running instance a command speaks to: the one it is told, else one that runs on this machine.

import { listInstances, type Instance } from '../../engine/instance/run-file.ts';
import { CommandError } from '../command-error.ts';
import { dataFolder } from './data-folder.ts';

/** What the flags said. */
export interface Wanted {
  /** The control server's URL; the token may be in its fragment, as in the printed one. */
  readonly control?: string | undefined;
  readonly issuer?: string | undefined;
  readonly port?: number | undefined;
}

export interface Address {
  readonly url: string;
  readonly token: string;
  /** The process that announced it, if it was found that way. */
  readonly pid: number | null;
}

const TOKEN_MISSING =
  'The control token is missing. Set GRANTBENCH_CONTROL_TOKEN, or give the URL that serve printed, including #token=.';

const sameUrl = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

function named(control: string, instances: readonly Instance[]): Address {
  const url = new URL(control);
  const announced = instances.find((one) => sameUrl(one.control.url, control));
  const token =
    new URLSearchParams(url.hash.slice(1)).get('token') ??
    (process.env['GRANTBENCH_CONTROL_TOKEN'] || undefined) ??
    announced?.control.token;
  if (token === undefined) throw new CommandError(2, TOKEN_MISSING);
  return { url: url.origin + url.pathname.replace(/(?<!\/)\/+$/, ''), token, pid: null };
}

const NONE =
  'No instance of Grantbench is running on this machine. Start one with grantbench serve, or set --control <url> (env: GRANTBENCH_CONTROL).';

function noneSuch({ issuer, port }: Wanted, instances: readonly Instance[]): CommandError {
  if (instances.length === 0) return new CommandError(2, NONE);
  const asked = issuer === undefined ? `port ${String(port)}` : `issuer ${issuer}`;
  const running = instances.map((one) => `${one.issuer} (port ${one.port})`).join(', ');
  return new CommandError(
    2,
    `No instance with ${asked} is running on this machine. Running: ${running}.`,
  );
}

/** Those to be tried in turn, the newest first. @throws CommandError when there is none */
export function addressesOf(wanted: Wanted): readonly Address[] {
  const instances = listInstances(dataFolder());
  // The latter is what exec tells the command it runs.
  const { GRANTBENCH_CONTROL, GRANTBENCH_CONTROL_URL } = process.env;
  const chosen = wanted.issuer !== undefined || wanted.port !== undefined;
  const control = wanted.control ?? (chosen ? '' : GRANTBENCH_CONTROL || GRANTBENCH_CONTROL_URL);
  if (control) {
    if (URL.canParse(control)) return [named(control, instances)];
    const message = `GRANTBENCH_CONTROL must be the URL of a control server, such as http://localhost:4281; it is ${control}.`;
    throw new CommandError(2, message);
  }
  const fitting = instances.filter(
    ({ issuer, port }) => (wanted.issuer ?? issuer) === issuer && (wanted.port ?? port) === port,
  );
  if (fitting.length === 0) throw noneSuch(wanted, instances);
  return fitting.map((one) => ({ ...one.control, pid: one.pid }));
}

export { NONE };
