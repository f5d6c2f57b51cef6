// zod as the contract uses it: with methods, over the settings of core's own. Every schema of control is made
// by way of this module.

import '../core/zod.ts';
import { z } from 'zod';

export { z };
