// Shows an authorization request to the person: the window has the system's browser open it, a tab opens another tab.

import { windowControl } from '../../../connection/control.ts';

/**
 * A tab that the browser blocks can still be opened by the button beside the step.
 * @throws when the window could not open it: there is no browser, or the server was stopped meanwhile
 */
export async function openInBrowser(url: string): Promise<void> {
  if (windowControl === null) {
    window.open(url, '_blank', 'noopener');
    return;
  }
  const { done } = await windowControl.window.openSignIn({ url });
  if (!done) throw new Error('The sign-in page could not be opened in a browser of this machine.');
}
