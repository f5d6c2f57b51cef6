// The shape that is in force: what the parts of core, and the server, use of it.

import type { EndpointName } from '../records/endpoints.ts';
import type { Shape } from '../records/schemas.ts';
import type { TemplateName } from './rules.ts';
import type { Template } from './template.ts';

export type Templates = Readonly<Record<TemplateName, Template>>;

/** How a refusal is answered; members left out fit every refusal. */
export interface ErrorRule {
  readonly reason?: string | undefined;
  readonly error?: string | undefined;
  readonly grant_type?: string | undefined;
  readonly status?: number | undefined;
  /** null: as it is without a shape. */
  readonly body: Template | null;
}

export interface ResolvedShape {
  /** As the workspace has it. */
  readonly given: Shape;
  readonly name: string;
  /** Empty without one. */
  readonly issuer_path: string;
  /** Every path that is served for it, from the root, with its endpoint. */
  readonly routes: ReadonlyMap<string, EndpointName>;
  /** The path that the metadata names; null: the provider has no such endpoint. */
  readonly named: ReadonlyMap<EndpointName, string | null>;
  /** The first value of each. */
  readonly parameters: Readonly<Record<string, string>>;
  /** null leaves a member out. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly templates: Partial<Templates>;
  readonly errors: readonly ErrorRule[];
  /** null: as the format of the token has it. */
  readonly access_token_typ: string | null;
  readonly refresh_token_format: 'opaque' | 'jwt';
  /** The provider's name of a parameter, with the one that it stands for. */
  readonly logout_parameters: ReadonlyMap<string, string>;
}
