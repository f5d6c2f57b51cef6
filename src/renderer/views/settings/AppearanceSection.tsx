import { SegmentedControl, Switch } from '@mantine/core';
import { useEffect, useState } from 'react';
import { setTheme, THEMES, useAppearance, type Theme } from '../../ui/preferences.ts';
import { appWindow, keepRunning } from '../../actions/window.ts';
import { Section, SettingRow } from './Section.tsx';

const NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };
const DATA = THEMES.map((value) => ({ value, label: NAMES[value] }));

/** What happens to the server when the window closes. */
function KeepRunning({ window }: { readonly window: NonNullable<typeof appWindow> }) {
  const [kept, setKept] = useState<boolean | null>(null);
  useEffect(() => {
    window.settings().then(
      ({ keep_running }) => setKept(keep_running),
      // Without a response the switch stays disabled.
      () => undefined,
    );
  }, [window]);
  const change = async (wanted: boolean) => {
    if (await keepRunning(window, wanted)) setKept(wanted);
  };
  return (
    <SettingRow
      end
      label="Keep running when the window closes"
      help="The server keeps running. Reopen the window from the tray."
    >
      {(ids) => (
        <Switch
          size="sm"
          aria-labelledby={ids.name}
          aria-describedby={ids.help}
          disabled={kept === null}
          checked={kept === true}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
      )}
    </SettingRow>
  );
}

export function AppearanceSection() {
  const { theme } = useAppearance();
  return (
    <Section title="Appearance" about="How this page looks. Stored on this machine.">
      <SettingRow label="Theme" help="Follow the system, or always use light or dark.">
        {() => (
          <SegmentedControl
            aria-label="Theme"
            fullWidth
            data={DATA}
            value={theme}
            onChange={(value) => setTheme(THEMES.find((known) => known === value) ?? 'auto')}
          />
        )}
      </SettingRow>
      {appWindow !== null && <KeepRunning window={appWindow} />}
    </Section>
  );
}
