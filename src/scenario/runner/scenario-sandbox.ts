// The sandbox in which a scenario runs: a separate one (`grantbench run`), or one in use. It has ports for HTTP and
// control; its creator also closes it.

import type { ControlClient } from '../../control/contract.ts';
import type { Client, Exchange, ServerState } from '../../control/schemas.ts';
import type { User } from '../../core/records/schemas.ts';
import type { AssertionKey } from '../../oauth/assertion.ts';
import type { Fields } from '../../oauth/fields.ts';

/** A request, byte for byte. */
export interface WireRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly headers: Fields;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  /** 0 if the connection ended before a response. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The received part of the body. */
  readonly text: string;
  /** The exchange or its number; null if the response has no number, so that it is the next recorded exchange. */
  readonly exchange: Exchange | number | null;
}

/** The control operations that steps use; the caller can wrap or replace each of them. */
export interface ScenarioControl {
  readonly codes: Pick<ControlClient['codes'], 'create'>;
  readonly tokens: Pick<ControlClient['tokens'], 'mint' | 'list' | 'revoke' | 'expire'>;
  readonly devices: Pick<ControlClient['devices'], 'create' | 'approve' | 'deny' | 'expire'>;
  readonly clock: Pick<ControlClient['clock'], 'get' | 'update'>;
  readonly faults: Pick<ControlClient['faults'], 'create'>;
  readonly holds: Pick<ControlClient['holds'], 'start' | 'release'>;
  readonly exchanges: Pick<ControlClient['exchanges'], 'list' | 'get'>;
}

/** null if the user has no password or it is unknown here. */
export type ScenarioUser = Pick<User, 'sub' | 'password'>;

export interface ScenarioSandbox {
  readonly control: ScenarioControl;
  /** Sends a request unchanged and resolves with the response. @param signal aborts the request, if supported */
  readonly send: (request: WireRequest, signal?: AbortSignal) => Promise<HttpAnswer>;
  /** Returns the registered key that signs the client's assertions; undefined if there is none. */
  readonly assertionKey?: (client_id: string) => Promise<AssertionKey | undefined>;
  /** Returns the password of a user for whom `users` has none; null if the user has none. */
  readonly passwordOf?: (sub: string) => Promise<string | null>;
  readonly issuer: string;
  /** URLs of endpoints; one that is not listed has its usual path below the issuer. */
  readonly endpoints?: Partial<ServerState['endpoints']>;
  /** Returns the URL for a path; the origin of the issuer is used if undefined. */
  readonly uriOf?: (path: string) => string;
  /** The records that steps can name; the first one is the default. */
  readonly clients: readonly Client[];
  readonly users: readonly ScenarioUser[];
  /** Called before each step with its index, from 0. */
  readonly onStep?: (index: number) => void;
  readonly close: () => Promise<void>;
}
