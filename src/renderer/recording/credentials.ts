// The codes and tokens of a recorded walk by name: the newest of each kind under its own, an older one
// under a name that the step which issued it saves it by.

import type { KeptMember } from '../../scenario/defaults.ts';
import type { ScenarioStep } from '../../scenario/schema.ts';

/** A step as written so far, and what later steps need of its response. */
export interface Draft {
  readonly step: ScenarioStep;
  readonly save: Record<string, string>;
}

/** Where a credential was issued. */
interface Origin {
  readonly name: KeptMember;
  readonly draft: Draft;
  readonly path: string;
  /** null: no later step needed it under a name of its own yet. */
  saved: string | null;
}

export function createCredentials() {
  const origins = new Map<string, Origin>();
  const newest = new Map<KeptMember, string>();

  const nameOf = (value: string, origin: Origin): string => {
    if (newest.get(origin.name) === value) return origin.name;
    if (origin.saved === null) {
      const alike = [...origins.values()].filter(({ name }) => name === origin.name);
      origin.saved = `${origin.name}_${alike.indexOf(origin) + 1}`;
      origin.draft.save[origin.saved] = origin.path;
    }
    return origin.saved;
  };

  return {
    /** @param path where the response of the step has it */
    learn: (name: KeptMember, value: string, draft: Draft, path: string) => {
      origins.set(value, { name, draft, path, saved: null });
      newest.set(name, value);
    },
    /** Each credential that the text contains, with its name now. */
    namesIn: (text: string): (readonly [value: string, name: string])[] =>
      [...origins]
        .filter(([value]) => text.includes(value))
        .map(([value, origin]) => [value, nameOf(value, origin)] as const),
    has: (value: string) => origins.has(value),
    values: () => [...origins.keys()],
    newest: (name: KeptMember) => newest.get(name),
  };
}
