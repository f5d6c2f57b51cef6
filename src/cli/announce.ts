// What `serve` says once it is ready: one JSON line for programs, a few lines for people.

import type { ServerState } from '../control/schemas.ts';

export interface ControlAddress {
  readonly url: string;
  readonly token: string;
}

export function readyEvent(server: ServerState, { url, token }: ControlAddress): string {
  const { issuer, token_endpoint } = server;
  return JSON.stringify({ event: 'ready', issuer, token_endpoint, control: { url, token } });
}

function workspaceInWords({ workspace }: ServerState): string {
  const place = workspace.file === null ? 'in memory' : workspace.file;
  const saved = workspace.state === 'memory' ? 'changes are not saved' : 'changes are saved';
  return `${workspace.name} (${place}; ${saved})`;
}

export function readyText(server: ServerState, control: ControlAddress, ui: boolean): string {
  const rows: [string, string][] = [
    ['Base URL', server.issuer],
    ['Token endpoint', server.token_endpoint],
    ui
      ? ['Workbench', `${control.url}/#token=${control.token}`]
      : ['Control API', `${control.url}/api, Authorization: Bearer ${control.token}`],
    ['Workspace', workspaceInWords(server)],
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(16)}${value}`);
  return [`Grantbench ${server.version} is ready. Ctrl+C ends it.`, ...lines].join('\n');
}
