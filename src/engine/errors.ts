// The messages of errors of any kind.

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Its stack trace, for an error that nothing expects. */
export const traceOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** OpenSSL and BoringSSL, on a response that is not TLS. */
const NO_TLS = /wrong.version.number|packet.length.too.long/i;

/** Why a connection failed: in words for what a user can mend, else as the error says. */
export function connectionProblem(error: unknown): string {
  const code = codeOf(error) ?? '';
  if (code === 'ECONNREFUSED') return 'nothing listens on its port';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host name cannot be resolved';
  if (code.startsWith('HPE_')) return 'its response is not HTTP';
  const message = messageOf(error);
  return NO_TLS.test(message) ? 'it does not use TLS, so use http://' : message;
}

/** The code of an error of the system, such as ENOENT; undefined for any other. */
export const codeOf = (error: unknown): string | undefined =>
  (Object(error) as NodeJS.ErrnoException).code;
