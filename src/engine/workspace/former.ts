// Replaced workspaces with their secrets, so that an import or a reset loses none. They are in memory, and share the
// size limit of one workspace with the current one.

import { isDeepStrictEqual } from 'node:util';
import { recordBytes } from '../../core/collections/weight.ts';
import { MOST_FORMER } from '../../core/records/bounds.ts';
import type { Workspace } from '../../core/records/schemas.ts';
import type { TokenService } from '../../core/service.ts';
import type { Saved } from './saved-by-name.ts';

export interface FormerWorkspace {
  /** Unique; never reused. */
  readonly id: number;
  /** In ms of machine time. */
  readonly replaced_at: number;
  readonly workspace: Workspace;
  /** All of its signing keys, in signing order. */
  readonly kids: readonly string[];
}

type Left = Pick<FormerWorkspace, 'workspace' | 'kids'>;

interface Kept extends FormerWorkspace {
  readonly bytes: number;
}

/** An empty list means the same as an omitted one. */
const withoutEmpty = (workspace: Workspace) =>
  Object.entries(workspace).filter(([, value]) => !(Array.isArray(value) && value.length === 0));

/** Whether the records and settings are the same. Of such workspaces only one is kept, and none while it is in use. */
export const isSameWorkspace = (one: Workspace, other: Workspace): boolean =>
  isDeepStrictEqual(new Map(withoutEmpty(one)), new Map(withoutEmpty(other)));

export function createFormerWorkspaces(
  { registry }: Pick<TokenService, 'registry'>,
  saved: Saved,
  now: () => number,
) {
  let kept: readonly Kept[] = [];
  let last = 0;

  const { clients, users, audiences, apis } = registry;
  const lists = [clients, users, audiences, apis, saved.flows, saved.requests, saved.checks];
  /** Size limit of the lists of one workspace. */
  const most = lists.reduce((sum, { bounds }) => sum + bounds.bytes, 0);
  const room = () => lists.reduce((left, { bytes }) => left - bytes, most);
  const trim = () => {
    let left = room();
    const fits = kept.findIndex(({ bytes }, place) => {
      left -= bytes;
      return left < 0 || place === MOST_FORMER;
    });
    if (fits >= 0) kept = kept.slice(0, fits);
  };
  return {
    /** Adds the newest one if there is room. Equal workspaces are kept once, and not while one is `current`. */
    keep: (left: Left, current: Workspace) => {
      const one = { id: ++last, replaced_at: now(), bytes: recordBytes(left.workspace), ...left };
      // Repeated runs of a scenario with its own workspace must not displace all others.
      const others = kept.filter(({ workspace }) => !isSameWorkspace(left.workspace, workspace));
      const all = one.bytes <= room() ? [one, ...others] : others;
      kept = all.filter(({ workspace }) => !isSameWorkspace(current, workspace));
      trim();
    },
    /** Whether a workspace would be kept after another one replaces it. */
    hasRoomFor: (left: Workspace, next: Workspace) => recordBytes(left) + recordBytes(next) <= most,
    /** Newest first. */
    list: () => kept,
    forget: (id: number) => {
      kept = kept.filter((one) => one.id !== id);
    },
    /** Drops workspaces if the current one has grown. */
    trim,
  };
}
