// zod as this project uses it: its small half, since the rules of a workspace are loaded on the way to the first
// token, and the other half makes each of them more slowly. Every schema is made by way of this module.

import { config } from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// zod decides as a schema is made whether to compile it with `new Function`, which the page's CSP refuses, and
// which costs each start more than the few documents that are read afterwards win back.
config({ ...en(), jitless: true });

export * as z from 'zod/mini';
