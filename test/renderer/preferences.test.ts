// Preferences are stored once for all tabs of a browser.

import { expect, onTestFinished, test, vi } from 'vitest';

test('a change keeps what another tab has changed since this one was opened', async () => {
  vi.resetModules();
  const stored = new Map<string, string>();
  const events = new EventTarget();
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events));
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
  const { preferences, setColumnWidth, setTheme } =
    await import('../../src/renderer/ui/preferences.ts');
  stored.set('grantbench.appearance', '{"theme":"light","rail":"narrow"}');
  stored.set('grantbench.columns', '{"traffic":{"path":200}}');
  events.dispatchEvent(new Event('storage'));
  setTheme('dark');
  setColumnWidth('tokens', 'kind', 90);
  expect(preferences()).toMatchObject({
    appearance: { theme: 'dark', rail: 'narrow' },
    columns: { traffic: { path: 200 }, tokens: { kind: 90 } },
  });
});
