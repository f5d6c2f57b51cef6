import { measureGrowth } from './growth.mjs';

/** Fills the larger capture before the measurement. */
const requestsBefore = 10_000;

export const capture = (options) =>
  measureGrowth(
    {
      what: 'captured exchanges',
      about: 'ES256, 32 connections. The capture is full before it is measured.',
      sizes: {
        '1 exchange kept': { requestsBefore, settings: { capture: { max_exchanges: 1 } } },
        '10,000 exchanges kept, the default': { requestsBefore },
      },
    },
    options,
  );
