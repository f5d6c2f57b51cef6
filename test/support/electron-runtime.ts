import { testElectron } from '../../scripts/test-runtimes.mjs';

/** The executable of the Electron to test with; throws with the reason when there is none. */
export function electronRuntime(): string {
  const electron = testElectron();
  if ('reason' in electron) throw new Error(`No Electron: ${electron.reason}.`);
  return electron.binary;
}
