// What the palette can find: something with a name that is run or opened.

export interface Entry {
  /** Unlike that of any other entry. */
  readonly id: string;
  readonly group: string;
  readonly title: string;
  /** Beside the title, in a few words. */
  readonly detail?: string;
  /** What it is found by besides its title and group. */
  readonly keywords?: string;
  readonly shortcut?: string | undefined;
  readonly run: () => unknown;
}
