// The options of a sandbox. Types only: these are published and must not import the engine.

import type {
  ApiInput,
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
   * The name of a workspace file, or the document; it is never written to. The default is the demo workspace: the
   * client `demo-app`, the user `ada`, the audience `https://orders.example/api` and its API
   * `/api/orders`.
   */
  readonly workspace?: string | Partial<WorkspaceInput> | undefined;
  /** Replaces the clients of the workspace. Omitted members get their defaults; secrets are not generated. */
  readonly clients?: readonly ClientInput[] | undefined;
  /** Replaces the users of the workspace. */
  readonly users?: readonly UserInput[] | undefined;
  /** Replaces the audiences of the workspace; the issuer is always an additional audience. */
  readonly audiences?: readonly AudienceInput[] | undefined;
  /** Replaces the protected APIs of the workspace. */
  readonly apis?: readonly ApiInput[] | undefined;
  /**
   * Merged into the settings of the workspace. Without a workspace, `signing_alg` is ES256, because generating an RSA
   * key takes up to a second. `{ signing_alg: 'RS256' }` signs like the workbench.
   */
  readonly settings?: SettingsInput | undefined;
  /** The provider to imitate, or a custom shape; replaces that of the workspace. */
  readonly shape?: Provider | Shape | undefined;
  /** 0, the default, selects a free port. */
  readonly port?: number | undefined;
  /** Uses HTTPS with a certificate generated for localhost, or with this certificate and key as PEM texts. */
  readonly https?: boolean | { readonly cert: string; readonly key: string } | undefined;
  /** The initial time of the sandbox clock, as RFC 3339 or a Date. */
  readonly now?: string | Date | undefined;
}
