// A question that the person answers natively, where script in the page cannot answer.

import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';

export interface NativeQuestion {
  readonly message: string;
  readonly detail: string;
  /** The word on the button that goes on. */
  readonly confirm: string;
}

export type AskPerson = (question: NativeQuestion) => Promise<boolean>;

/** Whether the person goes on; without a choice, no. */
export const askPerson: AskPerson = async ({ message, detail, confirm }) => {
  const options: MessageBoxOptions = {
    type: 'question',
    title: 'Grantbench',
    message,
    detail,
    buttons: [confirm, 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  };
  const [window] = BrowserWindow.getAllWindows();
  const asked = window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
  return (await asked).response === 0;
};
