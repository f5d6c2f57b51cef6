// Gives the page one port to the engine, and nothing else: no Node, no IPC, no files.

import { contextBridge, ipcRenderer } from 'electron';

const CONNECT = 'grantbench:connect';
const PORT = 'grantbench:port';

contextBridge.exposeInMainWorld('grantbench', {
  platform: process.platform,
  connect: () => ipcRenderer.send(CONNECT),
});

// The bridge cannot carry a port; only a posted message can transfer one into the page's world.
ipcRenderer.on(PORT, (event) => window.postMessage(PORT, location.origin, event.ports));
