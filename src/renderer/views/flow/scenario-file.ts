// A scenario as a file: handed over to be saved, or chosen to be run.

import { nameInFile } from './file-name.ts';
import { saveFile } from '../../ui/save-file.ts';
import { replay } from './exports.ts';
import { changeFlow } from './flow-store.ts';

const MOST_BYTES = 5_000_000;

/** @returns the name of the file */
export function saveScenario(scenario: { readonly name: string }): string {
  const file = `${nameInFile(scenario.name)}.scenario.json`;
  saveFile([`${JSON.stringify(scenario, null, 2)}\n`], file);
  return file;
}

async function open(file: File): Promise<void> {
  if (file.size > MOST_BYTES) {
    const problems = ['It is larger than 5 MB: no scenario is.'];
    changeFlow((state) => ({ ...state, unreadable: { name: file.name, problems } }));
    return;
  }
  await replay(file.name, await file.text());
}

/** Runs a scenario that the person chooses. */
export function openScenario(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json,application/json';
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void open(file);
  });
  input.click();
}
