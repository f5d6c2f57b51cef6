// zod as this project uses it: its small half, since the rules of a workspace are loaded on the way to the first
// token, and the other half makes each of them more slowly. Every schema is made by way of this module. The other half also
// compiles schemas with `new Function`, which the page's CSP refuses.

export * as z from 'zod/mini';
