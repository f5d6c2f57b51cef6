// Where a scenario runs, as its runner is handed it: a sandbox of its own (`grantbench run`), or the one
// that somebody looks at. Ports for HTTP and for control; whoever makes the sandbox also ends it.

import type { ControlClient } from '../../control/client.ts';
import type { Client, Exchange } from '../../control/schemas.ts';
import type { User } from '../../core/records/schemas.ts';
import type { AssertionKey } from '../../oauth/assertion.ts';
import type { Fields } from '../../oauth/fields.ts';

/** A request as it goes out, to the byte. */
export interface WireRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Fields;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  /** 0 when the connection ended before there was one. */
  readonly status: number;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As much of the body as was received. */
  readonly text: string;
  /** Its exchange, or the number of it; null when the answer names none, and it is the next one recorded. */
  readonly exchange: Exchange | number | null;
}

/** What steps do, and look up, over control; the caller can watch or replace each of these. */
export interface ScenarioControl {
  readonly codes: Pick<ControlClient['codes'], 'create'>;
  readonly tokens: Pick<ControlClient['tokens'], 'mint' | 'list' | 'revoke' | 'expire'>;
  readonly devices: Pick<ControlClient['devices'], 'create' | 'approve' | 'deny' | 'expire'>;
  readonly clock: Pick<ControlClient['clock'], 'get' | 'update'>;
  readonly faults: Pick<ControlClient['faults'], 'create'>;
  readonly exchanges: Pick<ControlClient['exchanges'], 'list' | 'get'>;
}

/** null: the user has no password, or it is not known here. */
export type ScenarioUser = Pick<User, 'sub' | 'password'>;

export interface ScenarioSandbox {
  readonly control: ScenarioControl;
  /**
   * Sends one request as it is written, and resolves with whatever comes back.
   * @param signal gives it up, where whoever sends can
   */
  readonly send: (request: WireRequest, signal?: AbortSignal) => Promise<HttpAnswer>;
  /** The key with which assertions of the client are signed, registered for it; undefined where there is none. */
  readonly assertionKey?: (client_id: string) => Promise<AssertionKey | undefined>;
  readonly issuer: string;
  /** Where a request to this path goes; to the origin of the issuer where it is not said. */
  readonly uriOf?: (path: string) => string;
  /** Those that steps name; the first one of each where a step names none. */
  readonly clients: readonly Client[];
  readonly users: readonly ScenarioUser[];
  /** Told before each step that is run, by its place from 0. */
  readonly onStep?: (index: number) => void;
  readonly close: () => Promise<void>;
}
