import { SegmentedControl } from '@mantine/core';
import { setTheme, THEMES, useAppearance, type Theme } from '../../appearance.ts';
import { Section } from './Section.tsx';
import { SettingRow } from './SettingRow.tsx';

const NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };
const DATA = THEMES.map((value) => ({ value, label: NAMES[value] }));

export function AppearanceSection() {
  const { theme } = useAppearance();
  return (
    <Section title="Appearance" about="How this page looks to you; kept on this machine.">
      <SettingRow label="Theme" help="Follow the system’s light or dark, or stay with one.">
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
    </Section>
  );
}
