// The error that ends a command, with its exit code.

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
