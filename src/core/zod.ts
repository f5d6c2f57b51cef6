// zod as this project uses it: every schema is made by way of this module. zod decides as a schema is made
// whether to compile it with `new Function`, which the page's CSP refuses, and which costs each start more
// than the few documents that are read afterwards win back.

import { z } from 'zod';

z.config({ jitless: true });

export { z };
