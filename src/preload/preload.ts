// Passes the page's one port on to the engine, and nothing else: no Node, no IPC, no files.

import { contextBridge, ipcRenderer } from 'electron';

const CONNECT = 'grantbench:connect';

contextBridge.exposeInMainWorld('grantbench', {
  platform: process.platform,
});

// The bridge cannot carry a port; only a posted message can transfer one out of the page's world.
window.addEventListener('message', ({ source, data, ports }) => {
  if (source === window && data === CONNECT) ipcRenderer.postMessage(CONNECT, null, [...ports]);
});
