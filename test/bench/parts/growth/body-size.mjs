import { measureGrowth } from './growth.mjs';

export const bodySize = (options) =>
  measureGrowth(
    {
      what: 'the size of the body',
      about:
        'ES256, 32 connections. The body is padded by a parameter that is ignored; the default limit is 65,536 bytes.',
      sizes: {
        'bodies of 300 B': { bodyBytes: 300 },
        'bodies of 8 KB': { bodyBytes: 8_000 },
        'bodies of 64 KB': { bodyBytes: 64_000 },
      },
    },
    options,
  );
