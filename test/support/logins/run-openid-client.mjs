// Exits with 0 when the user is signed in.

import { login } from './openid-client.mjs';
import { SETUP, showErrors } from './sign-in.mjs';

showErrors();
await login(SETUP);
