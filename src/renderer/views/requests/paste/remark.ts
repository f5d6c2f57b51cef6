// What the person should know about a command that was pasted.

export interface Remark {
  /** `missing`: something the command does is not done here. */
  readonly kind: 'missing' | 'changed';
  readonly text: string;
}

export const missing = (text: string): Remark => ({ kind: 'missing', text });
export const changed = (text: string): Remark => ({ kind: 'changed', text });

/** A command that cannot be read at all, in a sentence. */
export class Unreadable extends Error {}
