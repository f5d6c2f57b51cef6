// Shows an authorization request to the person: the window has the system's browser open it, a tab opens another tab.

import { windowControl } from '../../../connection/control.ts';

/** A tab that the browser blocks can still be opened by the link beside the step. */
export async function openInBrowser(url: string): Promise<void> {
  if (windowControl === null) window.open(url, '_blank', 'noopener');
  else await windowControl.window.openSignIn({ url });
}
