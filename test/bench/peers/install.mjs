// Installs the pinned peers into their own folder when they are not there yet.

import { fileURLToPath } from 'node:url';
import { hasPinnedPackages, installPinnedPackages } from '../../../scripts/pinned-packages.mjs';

const folder = fileURLToPath(new URL('./', import.meta.url));

export function ensurePeers() {
  if (!hasPinnedPackages(folder)) installPinnedPackages(folder);
}
