// What a command ends with when it cannot do what it was asked.

/** 1: a fault of ours or of the system. 2: wrong use, or nobody to reach. 3: the service refused. */
export type ExitCode = 1 | 2 | 3;

export class CommandError extends Error {
  readonly exit_code: ExitCode;

  /** @param message what is printed, in whole sentences */
  constructor(exit_code: ExitCode, message: string) {
    super(message);
    this.exit_code = exit_code;
  }
}
