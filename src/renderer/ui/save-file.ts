// A file made in the page, handed to the browser to be saved.

export function saveFile(pieces: string[], name: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken hold of it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** The moment as file names have it: `20260301-100000`. */
export const momentInName = (at: string): string =>
  at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

/** The name with only what every file system takes: `checkout-happy-path`. */
export const nameInFile = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'flow';
