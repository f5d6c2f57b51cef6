// What an error of any kind says.

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Its stack trace, for an error that nothing expects. */
export const traceOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** The code of an error of the system, such as ENOENT; undefined for any other. */
export const codeOf = (error: unknown): string | undefined =>
  (Object(error) as NodeJS.ErrnoException).code;
