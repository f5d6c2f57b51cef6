// Turns errors that no command expects into messages that say what to do. Exit codes: command-error.ts.

import { existsSync } from 'node:fs';
import { CertificateError } from '../engine/certificate.ts';
import { PortInUseError, WorkspaceError } from '../engine/engine.ts';
import { traceOf } from '../engine/errors.ts';
import { withoutCredentials } from '../redact/redactor.ts';

function portInUse({ port, free_port }: PortInUseError): string {
  const other =
    free_port === null ? 'or choose another port' : `or choose another port, such as ${free_port}`;
  return `Port ${port} is in use. Stop the program that uses it ${other} (--port, --control-port).`;
}

function unreadable({ file, problems }: WorkspaceError): string {
  const lines = problems.map(({ path, message }) =>
    path === '' ? `  ${message}` : `  ${path} ${message}`,
  );
  const unchanged = existsSync(file) ? ' It was not changed.' : '';
  return [`Cannot use the file ${file}.${unchanged}`, ...lines].join('\n');
}

/** System errors that only the user can fix. */
function fromSystem(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  if (error.code === 'EACCES')
    return `${error.message}. Choose a port above 1023, or a file that you may read.`;
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(String(error.code))) {
    return `${error.message}. Choose a host that this machine has (--host, --control-host).`;
  }
  return null;
}

/** Describes an error that no command expects. */
export function describeFailure(error: unknown): {
  readonly text: string;
  readonly exit_code: 1 | 2;
} {
  if (error instanceof PortInUseError) return { text: portInUse(error), exit_code: 2 };
  if (error instanceof WorkspaceError) return { text: unreadable(error), exit_code: 2 };
  if (error instanceof CertificateError) return { text: `${error.message}.`, exit_code: 2 };
  const text = fromSystem(error);
  if (text !== null) return { text, exit_code: 2 };
  return {
    text: `Grantbench stopped because of an internal error.\n${withoutCredentials(traceOf(error))}`,
    exit_code: 1,
  };
}
