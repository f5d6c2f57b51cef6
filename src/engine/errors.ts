// What an error of any kind says.

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The code of an error of the system, such as ENOENT; undefined for any other. */
export const codeOf = (error: unknown): string | undefined =>
  (Object(error) as NodeJS.ErrnoException).code;
