// The workspaces that another one took the place of, with their secrets, so that none is lost by an import or a reset.
// In memory, within what the workspace in use leaves of the room that the lists of one workspace may take.

import { recordBytes } from '../../core/collections/weight.ts';
import { RECORD_BOUNDS, SAVED_BOUNDS } from '../../core/records/bounds.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { Saved } from './saved.ts';

/** Beyond, the one that was replaced first is forgotten. */
export const MOST_FORMER = 10;

export interface FormerWorkspace {
  /** Never that of another one. */
  readonly id: number;
  /** Machine time in ms. */
  readonly replaced_at: number;
  readonly workspace: Workspace;
  /** Its signing keys and those beside them, the one that signed first. */
  readonly kids: readonly string[];
}

type Left = Pick<FormerWorkspace, 'workspace' | 'kids'>;

export interface FormerWorkspaces {
  /** Keeps it as the newest one, unless there is no room for it. Each is kept once, and not while it is `current`. */
  readonly keep: (left: Left, current: Workspace) => void;
  /** Whether one would be kept once the next has taken its place. */
  readonly hasRoomFor: (left: Workspace, next: Workspace) => boolean;
  /** Newest first. */
  readonly list: () => readonly FormerWorkspace[];
  readonly forget: (id: number) => void;
  /** The workspace in use may have grown: it goes first. */
  readonly trim: () => void;
}

interface Kept extends FormerWorkspace {
  readonly bytes: number;
}

const { clients, users, audiences } = RECORD_BOUNDS;
const { flows, requests } = SAVED_BOUNDS;

/** What the lists of one workspace may take. */
const ALL_BYTES = [clients, users, audiences, flows, requests].reduce(
  (bytes, bound) => bytes + bound.bytes,
  0,
);

type Weighed = Pick<Kept, 'workspace' | 'bytes'>;

/** Run again and again, a scenario that brings its own workspace must not push all others out. */
const isSame = (one: Weighed, other: Weighed): boolean =>
  one.bytes === other.bytes && JSON.stringify(one.workspace) === JSON.stringify(other.workspace);

export function createFormerWorkspaces(
  { registry }: Pick<TokenService, 'registry'>,
  saved: Saved,
  now: () => number,
): FormerWorkspaces {
  let kept: readonly Kept[] = [];
  let last = 0;

  const room = () =>
    [registry.clients, registry.users, registry.audiences, saved.flows, saved.requests].reduce(
      (left, { bytes }) => left - bytes,
      ALL_BYTES,
    );
  const trim = () => {
    let left = room();
    const fits = kept.findIndex(({ bytes }, place) => {
      left -= bytes;
      return left < 0 || place === MOST_FORMER;
    });
    if (fits >= 0) kept = kept.slice(0, fits);
  };
  return {
    keep: (left, current) => {
      const one = { id: ++last, replaced_at: now(), bytes: recordBytes(left.workspace), ...left };
      const inUse = { workspace: current, bytes: recordBytes(current) };
      const others = kept.filter((other) => !isSame(one, other));
      const all = one.bytes <= room() ? [one, ...others] : others;
      kept = all.filter((each) => !isSame(inUse, each));
      trim();
    },
    hasRoomFor: (left, next) => recordBytes(left) + recordBytes(next) <= ALL_BYTES,
    list: () => kept,
    forget: (id) => {
      kept = kept.filter((one) => one.id !== id);
    },
    trim,
  };
}
