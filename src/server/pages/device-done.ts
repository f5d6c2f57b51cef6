// The page after a decision about a device.

import { html } from 'hono/html';
import type { Client } from '../../core/records/schemas.ts';
import { framed } from './layout.ts';

export interface DeviceDoneFacts {
  readonly approved: boolean;
  readonly client: Client;
  readonly exchange: number;
  readonly nonce: string;
}

export function deviceDonePage({ approved, client, exchange, nonce }: DeviceDoneFacts) {
  const name = client.client_name || client.client_id;
  const content = approved
    ? html`<h1>Device approved</h1>
        <p>${name} gets its tokens the next time it polls. You can close this page.</p>`
    : html`<h1>Device denied</h1>
        <p>${name} gets no tokens. You can close this page.</p>`;
  return framed(
    { title: approved ? 'Device approved' : 'Device denied', nonce, exchange },
    content,
  );
}
