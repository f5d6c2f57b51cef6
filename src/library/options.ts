// What a sandbox is started with. Types only: these are published, and what reads them must not draw the engine after it.

import type {
  AudienceInput,
  ClientInput,
  Provider,
  SettingsInput,
  Shape,
  UserInput,
  WorkspaceInput,
} from '../control/schemas.ts';

export interface GrantbenchOptions {
  /**
   * A workspace file's name, or the document itself; nothing is ever written to it. Without it there is
   * the demo workspace: the client `demo-app`, the user `ada`, the audience `https://orders.example/api`.
   */
  readonly workspace?: string | Partial<WorkspaceInput> | undefined;
  /** In place of the workspace's. Members left out take their defaults; secrets are not made. */
  readonly clients?: readonly ClientInput[] | undefined;
  /** In place of the workspace's. */
  readonly users?: readonly UserInput[] | undefined;
  /** In place of the workspace's; the issuer is always one more. */
  readonly audiences?: readonly AudienceInput[] | undefined;
  /**
   * Merged into the workspace's. Without a workspace, `signing_alg` is ES256: an RSA key takes a second
   * to make on a busy machine. `{ signing_alg: 'RS256' }` signs as the desk does.
   */
  readonly settings?: SettingsInput | undefined;
  /** The provider to imitate, or a shape of one's own; in place of the workspace's. */
  readonly shape?: Provider | Shape | undefined;
  /** 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** HTTPS with a certificate made for localhost, or with this one, both as PEM text. */
  readonly https?: boolean | { readonly cert: string; readonly key: string } | undefined;
  /** What time it is in the sandbox at the start; it runs on from there. RFC 3339, or a Date. */
  readonly now?: string | Date | undefined;
}
