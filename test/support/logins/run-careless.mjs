// Exits with 0 when the user is signed in.

import { login } from './careless.mjs';
import { SETUP, showErrors } from './sign-in.mjs';

showErrors();
await login(SETUP);
