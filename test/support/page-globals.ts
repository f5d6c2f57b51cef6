// What modules of the page read of a browser as they are loaded, so that a test may load one in any order: a tab that keeps
// nothing. `openPage` puts more in its place.

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
