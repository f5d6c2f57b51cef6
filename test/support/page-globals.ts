// The browser globals that modules of the page read on import, so that a test can import them in any order. The tab
// stores nothing. `openPage` replaces these globals.

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

const globals = {
  window: {},
  location: new URL('http://localhost/'),
  addEventListener: () => undefined,
  navigator: { userAgent: '' },
  localStorage: storage,
  sessionStorage: storage,
};

for (const [name, value] of Object.entries(globals))
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
