// Saves a scenario as a file. Separate from the recorder, which loads all schemas, so that the list of saved flows does
// not load them.

import { nameInFile, saveFile } from '../ui/save-file.ts';

/** @returns the name of the file */
export function saveScenario(scenario: { readonly name: string }): string {
  const file = `${nameInFile(scenario.name)}.scenario.json`;
  saveFile([`${JSON.stringify(scenario, null, 2)}\n`], file);
  return file;
}
