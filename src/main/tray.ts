// The tray icon, shown while the app is set to keep running without a window. It shows that the server is running, and
// reopens the window.

import { app, Menu, nativeImage, Tray } from 'electron';
import type { Engine } from '../engine/engine.ts';
import { copyText } from './menu.ts';
import type { Places } from './places.ts';
import type { WindowSettingsStore } from './window-settings.ts';

const SIZE = 16;

export function followTray(
  engine: Engine,
  places: Places,
  settings: WindowSettingsStore,
  show: () => unknown,
): void {
  let tray: Tray | null = null;
  const menu = Menu.buildFromTemplate([
    { label: 'Copy Base URL', click: copyText(() => engine.server().issuer) },
    { label: 'Show Workbench', click: () => void show() },
    { type: 'separator' },
    { label: 'Quit Grantbench', click: () => app.quit() },
  ]);
  const follow = () => {
    if (!settings.get().keep_running) {
      tray?.destroy();
      tray = null;
    } else if (tray === null) {
      const icon = nativeImage.createFromPath(places.icon).resize({ width: SIZE, height: SIZE });
      tray = new Tray(icon);
      tray.setToolTip('Grantbench');
      tray.setContextMenu(menu);
      tray.on('click', () => void show());
    }
  };
  settings.onChange(follow);
  follow();
}
