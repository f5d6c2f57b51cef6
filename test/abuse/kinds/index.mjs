// Every kind of attack with its name, relative weight and function, which receives an attack (see harness/attack.mjs)
// and may leave sockets open.

import { apiKinds } from './apis.mjs';
import { controlKinds } from './control.mjs';
import { credentialKinds } from './credentials.mjs';
import { large } from './large.mjs';
import { logoutKinds } from './logouts.mjs';
import { malformedHttp } from './malformed-http.mjs';
import { parameterKinds } from './parameters.mjs';
import { signedKinds } from './signed.mjs';
import { viewerKinds } from './viewers.mjs';

export const kinds = [
  ...malformedHttp,
  ...large,
  ...parameterKinds,
  ...credentialKinds,
  ...signedKinds,
  ...apiKinds,
  ...logoutKinds,
  ...controlKinds,
  ...viewerKinds,
];
