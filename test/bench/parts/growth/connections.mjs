import { measureGrowth } from './growth.mjs';

export const connections = (options) =>
  measureGrowth(
    {
      what: 'connections',
      about: 'ES256. Each connection sends its next request when it has the answer to the last.',
      sizes: {
        '1 connection': { connections: 1 },
        '32 connections': { connections: 32 },
        '256 connections': { connections: 256 },
      },
    },
    options,
  );
