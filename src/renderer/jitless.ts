// zod decides while a schema is made whether to compile it with `new Function`, which the page's CSP
// refuses. Hence a module of its own, imported before any schema.

import { z } from 'zod';

z.config({ jitless: true });
