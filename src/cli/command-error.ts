// The error that ends a command, and what any error ends it with. Only an unexpected one loads the engine's errors.

/** 1: an internal or system error. 2: wrong usage, or no reachable instance. 3: the service rejected the request. */
export type ExitCode = 1 | 2 | 3;

export class CommandError extends Error {
  readonly exit_code: ExitCode;

  /** @param message the text to print, in whole sentences */
  constructor(exit_code: ExitCode, message: string) {
    super(message);
    this.exit_code = exit_code;
  }
}

export interface Failure {
  readonly text: string;
  readonly exit_code: ExitCode;
}

export async function failureOf(error: unknown): Promise<Failure> {
  if (error instanceof CommandError) return { text: error.message, exit_code: error.exit_code };
  const { describeFailure } = await import('./failure.ts');
  return describeFailure(error);
}
