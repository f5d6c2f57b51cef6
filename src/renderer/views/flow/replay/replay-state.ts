// What the Flow view shows of a scenario: that it runs, its result, or why it cannot be run.

/** The result of a scenario: it ends at the first step whose response is not as expected. */
export interface Replayed {
  readonly name: string;
  readonly steps: number;
  /** null when all of them passed. */
  readonly failure: ReplayFailure | null;
}

export interface ReplayFailure {
  /** From 1. */
  readonly step: number;
  readonly title: string;
  readonly message: string;
  /** Each in a line. */
  readonly differences: readonly string[];
}

/** A scenario that is being run. */
export interface Replaying {
  readonly name: string;
  readonly stopping: boolean;
}

/** A scenario that cannot be run here, and why. */
export interface Unreadable {
  readonly name: string;
  readonly problems: readonly string[];
  /** What it was chosen for. */
  readonly use: 'run here' | 'shown';
}
