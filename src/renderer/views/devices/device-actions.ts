// Approving and denying a device in place of its user, and ending it before its time.

import type { Device } from '../../../control/schemas.ts';
import { attempt } from '../../actions/sandbox.ts';
import { control } from '../../connection/control.ts';
import { notify } from '../../ui/notify.tsx';

export const approve = ({ id, user_code }: Device, sub: string): Promise<boolean> =>
  attempt('The device was not approved.', async () => {
    await control.devices.approve({ id, sub });
    notify(`${user_code} is approved as ${sub}`);
  });

export const deny = ({ id, user_code }: Device): Promise<boolean> =>
  attempt('The device was not denied.', async () => {
    await control.devices.deny({ id });
    notify(`${user_code} is denied`);
  });

/** Its next poll is answered with `expired_token` (RFC 8628 3.5). */
export const expire = ({ id, user_code }: Device): Promise<boolean> =>
  attempt('The device was not expired.', async () => {
    await control.devices.expire({ id });
    notify(`${user_code} is expired`);
  });
