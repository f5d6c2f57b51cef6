// What a file that holds a walk is called.

/** The moment as file names have it: `20260301-100000`. */
export const momentInName = (at: string): string =>
  at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

/** The name with only what every file system takes: `checkout-happy-path`. */
export const nameInFile = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'flow';
