// What only the window can do, beside the operations of the engine: files by their place, and what
// becomes of the app when the window closes. It is spoken over the window's port and nowhere else.

import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import { z } from '../core/records/zod.ts';

const done = z.object({ done: z.boolean() });

const automation = z.object({
  /** Whether it is switched on; remembered. */
  enabled: z.boolean(),
  /** Where commands and scripts reach the control operations; null while nothing listens. */
  access: z.nullable(z.object({ url: z.string(), token: z.string() })),
  /** Why they do not, or do not find it. */
  problem: z.nullable(z.string()),
});

export const WINDOW_THEMES = ['system', 'light', 'dark'] as const;
const theme = z.enum(WINDOW_THEMES);

const mirrorInput = z.object({
  issuer: z.string().check(z.maxLength(2000)),
  /** A sample access token; empty for none. */
  token: z.string().check(z.maxLength(100_000)),
});

/** What a mirror took over of a provider. */
const mirrorSummary = z.object({
  name: z.string(),
  endpoints: z.array(z.object({ name: z.string(), path: z.string() })),
  /** Names of members of its metadata. */
  metadata: z.array(z.string()),
  /** Names of claims of the sample token. */
  claims: z.array(z.string()),
  signing_alg: z.nullable(z.string()),
  /** What was left out, or is different here, in sentences. */
  notes: z.readonly(z.array(z.string())),
});

const port = z.int().check(z.minimum(1), z.maximum(65_535));

export const windowContract = {
  window: {
    /** Asks for a file and opens it as the workspace; `done` is false when nobody chose one. */
    open: oc.output(done),
    /** Asks for a place and saves the workspace there, now and from now on. */
    saveAs: oc.output(done),
    /** Makes a workspace of a provider's public documents; asks natively before it requests another host. */
    mirror: oc.input(mirrorInput).output(mirrorSummary),
    /** Asks for a place, saves what `mirror` made there and opens it. `file` is null when nothing was saved. */
    saveMirror: oc.output(z.object({ file: z.nullable(z.string()), opened: z.boolean() })),
    /** What this window remembers; `port` is null while the server takes the usual one. */
    settings: oc.output(z.object({ keep_running: z.boolean(), port: z.nullable(port) })),
    /** Has the server listen at the next start of the app where it does now. */
    rememberAddress: oc.output(done),
    automation: oc.output(automation),
    /** Opens the control server to commands and scripts on this machine, or closes it. */
    setAutomation: oc.input(z.object({ enabled: z.boolean() })).output(automation),
    keepRunning: oc.input(z.object({ keep_running: z.boolean() })).output(done),
    /** The theme of the page, for what the system draws: title bar, menus, dialogs. */
    setTheme: oc.input(z.object({ theme })).output(done),
    /** Opens an authorization request at this server in the system's browser; `done` is false for any other URL. */
    openSignIn: oc.input(z.object({ url: z.string() })).output(done),
    /** Ids of the page's own commands, as they are chosen in the native menus. */
    commands: oc.output(eventIterator(z.string())),
  },
};

export type WindowTheme = z.infer<typeof theme>;
export type MirrorInput = z.infer<typeof mirrorInput>;
export type MirrorSummary = z.infer<typeof mirrorSummary>;
export type AutomationState = z.infer<typeof automation>;
export type WindowClient = ContractRouterClient<typeof windowContract>;
