// A scenario chosen from a file, to be run.

import { chooseFile } from './choose-file.ts';
import { replay } from './exports.ts';
import { changeFlow } from './flow-store.ts';

const MOST_BYTES = 5_000_000;

async function open(file: File): Promise<void> {
  if (file.size > MOST_BYTES) {
    const problems = ['The file is too large: a scenario may have at most 5 MB.'];
    changeFlow((state) => ({
      ...state,
      unreadable: { name: file.name, use: 'run here', problems },
    }));
    return;
  }
  await replay(file.name, await file.text());
}

/** Runs a scenario that the person chooses. */
export const openScenario = (): void => chooseFile((file) => void open(file));
