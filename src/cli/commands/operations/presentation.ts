// What a resource adds to the commands that are made of its operations.

import type { Column } from '../../terminal/table.ts';

/** A flag for a member of a record: `--redirect-uri` for `redirect_uris`. */
export interface MemberFlag {
  readonly flags: string;
  readonly member: string;
  readonly description: string;
  /** Whether it may be given again, for a list. */
  readonly repeatable?: boolean;
}

/** A flag without a value, for members that belong together: `--public`. */
export interface SwitchFlag {
  readonly flags: string;
  readonly description: string;
  readonly sets: Readonly<Record<string, unknown>>;
}

/** How an operation is presented as a command; everything has a default. */
export interface Presentation {
  /** The command's name, where the operation's own does not say it best. */
  readonly name?: string;
  /** Each a line that follows `grantbench <resource> <command>`. */
  readonly examples?: readonly string[];
  /** For an answer that is a list. */
  readonly columns?: readonly Column<never>[];
  /** What is said of an empty list. */
  readonly empty?: string;
  /** How many items a list shows when no limit is given; all of them when left out. */
  readonly newest?: number;
}
