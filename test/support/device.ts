// Devices for the domain's tests: a client that may use the grant, requests, polls and decisions.

import { createEvaluation } from '../../src/core/checks/trace.ts';
import type { DeviceAuthorizationResponse } from '../../src/core/device-authorization/device-request.ts';
import { DEVICE_CODE_GRANT } from '../../src/core/records/schemas.ts';
import type { TokenRequest } from '../../src/core/model/request.ts';
import type { RequestParameters, TestServiceOptions } from './core.ts';
import { admin, client, createTestService, evaluated, refreshRequest } from './core.ts';

/** The grants of a client on a device. */
export const DEVICE_GRANTS = [DEVICE_CODE_GRANT, 'refresh_token'] as const;

export const tv = (members: Parameters<typeof client>[0] = {}) =>
  client({
    client_id: 'tv',
    client_secret: 'tv-secret',
    client_name: 'Television',
    redirect_uris: [],
    grant_types: [...DEVICE_GRANTS],
    ...members,
  });

export const AS_TV = { client_id: 'tv', client_secret: 'tv-secret' } as const;

export function withDevices(options: TestServiceOptions = {}) {
  const made = createTestService({
    clients: [tv(), admin({ grant_types: [...DEVICE_GRANTS] })],
    ...options,
  });
  const { service } = made;
  let exchanges = 1000;
  const ask = async (parameters: RequestParameters = {}, members: Partial<TokenRequest> = {}) => {
    exchanges += 1;
    const evaluation = createEvaluation(exchanges);
    const all = { grant_type: undefined, ...AS_TV, ...parameters };
    return evaluated(evaluation, () =>
      service.authorizeDevice(refreshRequest(all, members), evaluation),
    );
  };
  const opened = async (parameters?: RequestParameters): Promise<DeviceAuthorizationResponse> => {
    const { answer, refusal } = await ask(parameters);
    if (answer === null) throw new Error(`refused: ${refusal.reason}`);
    return answer;
  };
  const poll = (
    device_code: string,
    parameters: RequestParameters = {},
    members?: Partial<TokenRequest>,
  ) =>
    made.evaluate(
      refreshRequest(
        { ...AS_TV, grant_type: DEVICE_CODE_GRANT, device_code, ...parameters },
        members,
      ),
    );
  const record = (user_code: string) => {
    const device = service.devices.findByUserCode(user_code);
    if (device === undefined) throw new Error(`no device shows ${user_code}`);
    return device;
  };
  const approve = (user_code: string, order: { sub?: string; scope?: string } = {}) =>
    service.approveDevice(record(user_code), order);
  return {
    ...made,
    ask,
    opened,
    poll,
    record,
    approve,
    /** A request that the user has approved. */
    approved: async (parameters?: RequestParameters) => {
      const device = await opened(parameters);
      approve(device.user_code);
      return device;
    },
    deny: (user_code: string) => service.denyDevice(record(user_code)),
  };
}
