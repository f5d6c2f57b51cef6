// The steps with deliberate mistakes, in the order of a flow.

import type { Mistake, Place } from './mistake.ts';
import { AUTHORIZE } from './of-authorization.ts';
import { OTHER_PLACES } from './of-other-grants.ts';
import { REGISTRATION } from './of-registration.ts';
import { TOKEN_PLACES } from './of-token-requests.ts';
import { USERINFO } from './of-userinfo.ts';

export const PLACES: readonly Place[] = [
  AUTHORIZE,
  ...TOKEN_PLACES,
  ...OTHER_PLACES,
  USERINFO,
  REGISTRATION,
];

export const mistakesAt = ({ groups }: Place): readonly Mistake[] =>
  groups.flatMap(({ mistakes }) => mistakes);
