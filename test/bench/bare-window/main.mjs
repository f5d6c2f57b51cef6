// The least that an Electron app with a window can be, for ../window.mjs to compare ours with.

import { app, BrowserWindow } from 'electron';

void app.whenReady().then(() => new BrowserWindow().loadURL('data:text/html,<p>bare</p>'));
