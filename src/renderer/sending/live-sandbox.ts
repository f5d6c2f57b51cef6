// The sandbox in use as the ports of the runner. Its host sends the requests, and callbacks report what happens. It uses
// the control API, not the page.

import type { ControlClient } from '../../control/contract.ts';
import type {
  Client,
  Device,
  Exchange,
  IssueCode,
  MintTokens,
  SendRequest,
  ServerState,
} from '../../control/schemas.ts';
import { answeredBy, sendRequestOf } from '../../scenario/runner/over-control.ts';
import type {
  ScenarioControl,
  ScenarioSandbox,
  ScenarioUser,
} from '../../scenario/runner/scenario-sandbox.ts';

export type IssuedCode = Awaited<ReturnType<ControlClient['codes']['create']>>;
export type MintedTokens = Awaited<ReturnType<ControlClient['tokens']['mint']>>;
export type Decision = 'approve' | 'deny' | 'expire';

export interface LiveSandboxOptions {
  readonly control: ControlClient;
  readonly issuer: string;
  readonly endpoints?: ServerState['endpoints'] | undefined;
  readonly clients: readonly Client[];
  readonly users: readonly ScenarioUser[];
  /** The sender that Traffic shows; the workbench by default. */
  readonly sent_by?: NonNullable<SendRequest['sent_by']>;
  /** Called with every request, with its secrets. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called with every code issued over the control API. */
  readonly onIssued?: (request: IssueCode, issued: IssuedCode) => Promise<void>;
  /** Called with all tokens issued over the control API. */
  readonly onMinted?: (request: MintTokens, minted: MintedTokens) => Promise<void>;
  /** Called with every code or token that is revoked or expired over the control API. */
  readonly onEnded?: (how: 'revoke' | 'expire', value: string) => Promise<void>;
  /** Called with every decision about a device over the control API. */
  readonly onDecided?: (decision: Decision, device: Device) => Promise<void>;
  readonly assertionKey?: ScenarioSandbox['assertionKey'];
  /** Stops the run before the next request, and abandons the pending one. */
  readonly signal?: AbortSignal;
}

/** Has a code, because the runner treats errors with a code as the result of a step. */
class Stopped extends Error {
  readonly code = 'stopped';
}

function watchedDevices(
  { devices }: ControlClient,
  { onDecided }: LiveSandboxOptions,
): ScenarioControl['devices'] {
  const reported = async (decision: Decision, deciding: Promise<Device>) => {
    const device = await deciding;
    await onDecided?.(decision, device);
    return device;
  };
  return {
    create: devices.create,
    approve: (order) => reported('approve', devices.approve(order)),
    deny: (order) => reported('deny', devices.deny(order)),
    expire: (order) => reported('expire', devices.expire(order)),
  };
}

/** Steps look a token up by its text and end it by its id, so the ids are mapped back to texts. */
function watchedTokens(
  { tokens }: ControlClient,
  { onMinted, onEnded }: LiveSandboxOptions,
): ScenarioControl['tokens'] {
  const found = new Map<string, string>();
  const ending =
    (how: 'revoke' | 'expire'): ScenarioControl['tokens']['revoke'] =>
    async (order) => {
      const ended = await tokens[how](order);
      await onEnded?.(how, found.get(order.id) ?? order.id);
      return ended;
    };
  return {
    mint: async (request) => {
      const minted = await tokens.mint(request);
      await onMinted?.(request, minted);
      return minted;
    },
    list: async (query) => {
      const page = await tokens.list(query);
      const [first] = page.items;
      if (query.text !== undefined && first !== undefined) found.set(first.id, query.text);
      return page;
    },
    revoke: ending('revoke'),
    expire: ending('expire'),
  };
}

export function liveSandbox(options: LiveSandboxOptions): ScenarioSandbox {
  const { control, issuer, endpoints, clients, users, sent_by, assertionKey, signal } = options;
  const { onExchange, onIssued } = options;
  return {
    issuer,
    ...(endpoints === undefined ? {} : { endpoints }),
    clients,
    users,
    // Only the workspace document contains the passwords of users.
    passwordOf: async (sub) => {
      const workspace = await control.workspace.get();
      return workspace.users.find((user) => user.sub === sub)?.password ?? null;
    },
    ...(assertionKey === undefined ? {} : { assertionKey }),
    control: {
      tokens: watchedTokens(control, options),
      devices: watchedDevices(control, options),
      clock: control.clock,
      exchanges: control.exchanges,
      faults: control.faults,
      holds: control.holds,
      codes: {
        create: async (request) => {
          const issued = await control.codes.create(request);
          await onIssued?.(request, issued);
          return issued;
        },
      },
    },
    send: async (request, given) => {
      const over = AbortSignal.any([signal, given].filter((one) => one !== undefined));
      const stopped = () => new Stopped('the run was stopped');
      if (over.aborted) throw stopped();
      const order = {
        ...sendRequestOf(request),
        ...(sent_by === undefined ? {} : { sent_by }),
        secrets: true,
      };
      const exchange = await control.requests
        .send(order, { signal: over })
        .catch((error: unknown) => {
          throw over.aborted ? stopped() : error;
        });
      onExchange?.(exchange);
      return answeredBy(exchange);
    },
    close: () => Promise.resolve(),
  };
}
