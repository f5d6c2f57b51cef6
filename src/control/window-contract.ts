// What only the window can do, beside the operations of the engine: files by their place, and what
// becomes of the app when the window closes. It is spoken over the window's port and nowhere else.

import { eventIterator, oc, type ContractRouterClient } from '@orpc/contract';
import { z } from 'zod';

const done = z.object({ done: z.boolean() });

export const windowContract = {
  window: {
    /** Asks for a file and opens it as the workspace; `done` is false when nobody chose one. */
    open: oc.output(done),
    /** Asks for a place and saves the workspace there, now and from now on. */
    saveAs: oc.output(done),
    keepRunning: oc.input(z.object({ keep_running: z.boolean() })).output(done),
    /** Ids of the page's own commands, as they are chosen in the native menus. */
    commands: oc.output(eventIterator(z.string())),
  },
};

export type WindowClient = ContractRouterClient<typeof windowContract>;
