import { measureGrowth } from './growth.mjs';

export const clients = (options) =>
  measureGrowth(
    {
      what: 'registered clients',
      about: 'ES256, 32 connections. The client that sends the requests was registered last.',
      sizes: {
        '1 client': { clients: 1 },
        '1,000 clients': { clients: 1_000 },
        '10,000 clients, the maximum': { clients: 10_000 },
      },
    },
    options,
  );
