// Operations that only the window has: opening and saving files by path, and the app's own state. They are only
// available over the window's port.

import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import { z } from '../core/records/zod.ts';
import { MIRROR_BOUNDS, WINDOW_THEMES } from './names.ts';

const done = z.object({ done: z.boolean() });

const automation = z.object({
  /** Whether it is switched on. The app remembers it. */
  enabled: z.boolean(),
  /** Where commands and scripts can reach the control operations; null while nothing listens. */
  access: z.nullable(z.object({ url: z.string(), token: z.string() })),
  /** Why commands cannot reach or find it. */
  problem: z.nullable(z.string()),
});

const theme = z.enum(WINDOW_THEMES);

const mirrorInput = z.object({
  issuer: z.string().check(z.maxLength(MIRROR_BOUNDS.issuer)),
  /** A sample access token; empty for none. */
  token: z.string().check(z.maxLength(MIRROR_BOUNDS.token)),
});

/** What a mirror copied from a provider. */
const mirrorSummary = z.object({
  name: z.string(),
  endpoints: z.array(z.object({ name: z.string(), path: z.string() })),
  /** Names of the copied metadata members. */
  metadata: z.array(z.string()),
  /** Names of the copied claims of the sample token. */
  claims: z.array(z.string()),
  signing_alg: z.nullable(z.string()),
  /** Omissions and differences, in sentences. */
  notes: z.readonly(z.array(z.string())),
});

const port = z.int().check(z.minimum(1), z.maximum(65_535));

export const windowContract = {
  window: {
    /** Asks for a file and opens it as the workspace; `done` is false if the user cancelled. */
    open: oc.output(done),
    /** Asks for a file, saves the workspace to it, and keeps saving changes there. */
    saveAs: oc.output(done),
    /**
     * Makes a workspace from a provider's public documents; asks in a native dialog before it requests another host.
     */
    mirror: oc.input(mirrorInput).output(mirrorSummary),
    /** Asks for a file, saves the workspace of `mirror` to it, and opens it. `file` is null if nothing was saved. */
    saveMirror: oc.output(z.object({ file: z.nullable(z.string()), opened: z.boolean() })),
    /** What the window remembers; `port` is null while the server uses the default port. */
    settings: oc.output(z.object({ keep_running: z.boolean(), port: z.nullable(port) })),
    /** Makes the server listen on its current port at the next start of the app. */
    rememberAddress: oc.output(done),
    automation: oc.output(automation),
    /** Starts or stops the control server for commands and scripts on this machine. */
    setAutomation: oc.input(z.object({ enabled: z.boolean() })).output(automation),
    keepRunning: oc.input(z.object({ keep_running: z.boolean() })).output(done),
    /** The theme of the page, for title bar, menus and dialogs of the system. */
    setTheme: oc.input(z.object({ theme })).output(done),
    /** Opens an authorization request to this server in the system's browser; `done` is false for any other URL. */
    openSignIn: oc.input(z.object({ url: z.string() })).output(done),
    /** Ids of page commands that the user chose in the native menus. */
    commands: oc.output(eventIterator(z.string())),
  },
};

export type MirrorInput = z.infer<typeof mirrorInput>;
export type MirrorSummary = z.infer<typeof mirrorSummary>;
export type AutomationState = z.infer<typeof automation>;
export type WindowClient = ContractRouterClient<typeof windowContract>;
