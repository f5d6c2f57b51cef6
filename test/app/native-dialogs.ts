// Answers native dialogs, since no test can click them.

import type { ElectronApplication } from '@playwright/test';

/** Answers questions and messages with this button. @returns a function that reads the texts shown from now on */
export async function answerQuestion(app: ElectronApplication, button: string) {
  await app.evaluate(({ dialog }, wanted) => {
    const kept = globalThis as { asked?: string[] };
    const asked: string[] = [];
    kept.asked = asked;
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { message, detail = '', buttons = [] } = args.at(-1) as Electron.MessageBoxOptions;
      asked.push(`${message}\n${detail}`);
      return { response: buttons.indexOf(wanted), checkboxChecked: false };
    };
  }, button);
  return () => app.evaluate(() => (globalThis as { asked?: string[] }).asked ?? []);
}

/** Answers dialogs that open or save with this file. @returns a function that reads the name suggested for it */
export async function chooseFile(app: ElectronApplication, file: string) {
  await app.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [path] });
    dialog.showSaveDialog = async (...args: unknown[]) => {
      const { defaultPath } = args.at(-1) as Electron.SaveDialogOptions;
      (globalThis as { suggested?: string | undefined }).suggested = defaultPath;
      return { canceled: false, filePath: path };
    };
  }, file);
  return () => app.evaluate(() => (globalThis as { suggested?: string }).suggested);
}
