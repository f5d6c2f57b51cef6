import type { ElectronApplication } from '@playwright/test';

/**
 * Answers native dialogs with this button, since no test can click it. @returns a function that counts the dialogs
 * shown
 */
export async function answerQuestion(app: ElectronApplication, button: string) {
  await app.evaluate(({ dialog }, wanted) => {
    const counted = globalThis as { questions?: number };
    counted.questions = 0;
    dialog.showMessageBox = async (...args: unknown[]) => {
      const { buttons = [] } = args.at(-1) as { buttons?: string[] };
      counted.questions = (counted.questions ?? 0) + 1;
      return { response: buttons.indexOf(wanted), checkboxChecked: false };
    };
  }, button);
  return () => app.evaluate(() => (globalThis as { questions?: number }).questions);
}
