// The terminal that started this process, if one did: it hears that the window is there, and passes the
// signals it gets on as a wish to quit (Windows has no signals that a process could answer).

import { app } from 'electron';

export function joinLauncher(): void {
  process.on('message', (message) => {
    if (message === 'quit') app.quit();
  });
}

export function tellLauncher(then: () => void = () => undefined): void {
  if (process.send === undefined) then();
  else process.send('window', () => then());
}
