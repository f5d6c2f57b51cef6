// Files of the page: one that it made is saved as a download, one that it opens is chosen or dropped by the user.

import { notifyFailure } from './notify.tsx';

/** Hands a file to the browser. Whether it is saved is not known: the user may be asked where, and cancel. */
export function saveFile(pieces: string[], name: string, type = 'application/json'): void {
  const url = URL.createObjectURL(new Blob(pieces, { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // By then the browser has taken the URL.
  setTimeout(() => URL.revokeObjectURL(url));
}

/** A date and time for file names: `20260301-100000`. */
export const momentInName = (at: string): string =>
  at.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');

/** A name with only the characters that every file system accepts: `checkout-happy-path`. */
const nameInFile = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'flow';

/** @returns the name of the file */
export function saveScenario(scenario: { readonly name: string }): string {
  const file = `${nameInFile(scenario.name)}.scenario.json`;
  saveFile([`${JSON.stringify(scenario, null, 2)}\n`], file);
  return file;
}

/** Opens a file that was chosen or dropped. Tells the user if it cannot be read, as a folder cannot. */
export async function openFile(file: File, open: (file: File) => Promise<void>): Promise<void> {
  try {
    await open(file);
  } catch (error) {
    notifyFailure(`${file.name} was not opened.`, error);
  }
}

/**
 * Asks the user for a file.
 * @param accept the endings and media types that the browser offers
 */
export function chooseFile(
  open: (file: File) => Promise<void>,
  accept = '.json,application/json',
): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = accept;
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void openFile(file, open);
  });
  input.click();
}
