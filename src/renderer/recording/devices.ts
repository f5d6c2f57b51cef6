// What was decided about the devices of a recording: at their page (RFC 8628 3.3), or in the workbench, which only the
// answer to a poll shows.

import { parseJsonObject } from '../../oauth/json-object.ts';
import { decodeJwt } from '../../oauth/jwt.ts';
import type { Exchange } from '../../control/schemas.ts';
import { FORM_FIELD } from '../../scenario/sign-in-form.ts';
import { bodyText, tokenAnswerOf } from '../exchange/answer.ts';
import { deviceOf } from '../exchange/device-answer.ts';
import { presentedIn } from './presented.ts';
import type { DeviceDecision } from './recorded-event.ts';

interface Device {
  readonly user_code: string;
  decided: boolean;
}

/** As codes are compared: case and what separates their halves do not matter (RFC 8628 6.1). */
const bare = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

const subIn = (token: string): string | null => {
  const sub = decodeJwt(token)?.payload['sub'];
  return typeof sub === 'string' ? sub : null;
};

export function createDevices() {
  const devices = new Map<string, Device>();

  const decision = (
    device: Device,
    { clock, client_id }: Exchange,
    decided: Pick<DeviceDecision, 'decision' | 'sub' | 'scope'>,
  ): DeviceDecision => {
    device.decided = true;
    const { user_code } = device;
    return { kind: 'decision', at: clock.now, user_code, client_id: client_id ?? '', ...decided };
  };

  return {
    /** The decision that this request at the page is; null for any other. */
    decidedAt: (exchange: Exchange): DeviceDecision | null => {
      const { method, path, status, error, request } = exchange;
      const fields = new URLSearchParams(bodyText(request));
      if (method !== 'POST' || path !== '/device' || !fields.has(FORM_FIELD)) return null;
      if (status !== 200 || error !== null) return null;
      const typed = bare(fields.get('user_code') ?? '');
      const device = [...devices.values()].find(({ user_code }) => bare(user_code) === typed);
      if (device === undefined) return null;
      const approved = fields.get('decision') === 'approve';
      const scope = approved ? fields.getAll('scope').join(' ') : '';
      const sub = approved ? fields.get('sub') : null;
      return decision(device, exchange, { decision: approved ? 'approve' : 'deny', sub, scope });
    },
    /** What must have been decided for this answer to a poll. */
    decidedBefore: (exchange: Exchange): DeviceDecision[] => {
      const asked = deviceOf(exchange, '');
      if (asked !== null) {
        devices.set(asked.device_code, { user_code: asked.user_code, decided: false });
      }
      const [code] = presentedIn(exchange).filter(({ kind }) => kind === 'device_code');
      const device = devices.get(code?.value ?? '');
      if (device === undefined || device.decided) return [];
      const answer = tokenAnswerOf(exchange);
      if (answer !== null) {
        const scope = parseJsonObject(bodyText(exchange.response))?.['scope'];
        const granted = decodeJwt(answer.access_token)?.payload['scope'] ?? scope;
        const sub = subIn(answer.id_token ?? answer.access_token) ?? subIn(answer.access_token);
        return [
          decision(device, exchange, {
            decision: 'approve',
            sub,
            scope: typeof granted === 'string' ? granted : '',
          }),
        ];
      }
      if (exchange.error !== 'access_denied') return [];
      return [decision(device, exchange, { decision: 'deny', sub: null, scope: '' })];
    },
  };
}
