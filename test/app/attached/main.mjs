// The app that Playwright launches. It becomes ready once Playwright is attached. Otherwise Playwright may attach while
// the window is being created, and then wait for it endlessly. Playwright calls __playwright_run when it is attached.
// Its own loader is not used, because it also disables services of Chromium, including some that open connections.

import { app } from 'electron';

const ready = app.whenReady();
const attached = new Promise((resolve) => {
  Reflect.set(globalThis, '__playwright_run', resolve);
});
app.whenReady = async () => {
  await attached;
  await ready;
};
await import('../../../out/node/window.cjs');
