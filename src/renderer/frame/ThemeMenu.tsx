import { ActionIcon, Menu, Tooltip } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { setTheme, THEMES, useAppearance, type Theme } from '../ui/preferences.ts';

const THEME_NAMES: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };
const ICONS = { auto: IconDeviceDesktop, light: IconSun, dark: IconMoon };

export function ThemeMenu() {
  const { theme } = useAppearance();
  const Shape = ICONS[theme];
  const pick = (wanted: string) => setTheme(THEMES.find((known) => known === wanted) ?? 'auto');
  return (
    <Menu position="bottom-end">
      <Tooltip label="Theme">
        <Menu.Target>
          <ActionIcon aria-label={`Theme: ${THEME_NAMES[theme]}`}>
            <Shape size="1.1em" stroke={1.8} aria-hidden="true" />
          </ActionIcon>
        </Menu.Target>
      </Tooltip>
      <Menu.Dropdown>
        <Menu.RadioGroup value={theme} onChange={pick}>
          {THEMES.map((name) => (
            <Menu.RadioItem key={name} value={name} closeMenuOnClick>
              {THEME_NAMES[name]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
