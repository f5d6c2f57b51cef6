// What went wrong, in words that say what to do, and the exit code that goes with it.

import { CertificateError } from '../engine/certificate/check.ts';
import { PortInUseError, WorkspaceError } from '../engine/engine.ts';
import { withoutCredentials } from '../redact/redactor.ts';
import type { ExitCode } from './command-error.ts';

export interface Failure {
  readonly text: string;
  readonly exit_code: ExitCode;
}

function portInUse({ port, free_port }: PortInUseError): string {
  const other =
    free_port === null ? 'or choose another one' : `or choose another one; ${free_port} is free`;
  return `Port ${port} is in use. Stop the program that uses it, ${other} (--port, --control-port).`;
}

function unreadable({ file, problems }: WorkspaceError): string {
  const lines = problems.map(({ path, message }) =>
    path === '' ? `  ${message}` : `  ${path} ${message}`,
  );
  return [`The file ${file} cannot be used. It was not changed.`, ...lines].join('\n');
}

/** Errors of the system that only the person at the keyboard can put right. */
function fromSystem(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'EACCES')
    return `${error.message}. Choose a port above 1023 or a file you may read.`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
    return `${error.message}. Choose a --host that this machine has.`;
  }
  return null;
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof PortInUseError) return { text: portInUse(error), exit_code: 2 };
  if (error instanceof WorkspaceError) return { text: unreadable(error), exit_code: 2 };
  if (error instanceof CertificateError) return { text: `${error.message}.`, exit_code: 2 };
  const text = fromSystem(error);
  if (text !== null) return { text, exit_code: 2 };
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    text: `Grantbench stopped because of an internal error.\n${withoutCredentials(trace)}`,
    exit_code: 1,
  };
}
