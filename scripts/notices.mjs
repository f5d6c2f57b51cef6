// The last step of a build: the licences of the packages in it, and its bill of materials.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { billOfMaterials, licenseTexts } from './packaging/bill-of-materials.mjs';
import { shippedPackages } from './packaging/shipped-packages.mjs';
import { ROOT } from './run.mjs';

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const packages = shippedPackages(ROOT);
const bill = billOfMaterials({ version, electron: null }, packages);
writeFileSync(join(ROOT, 'out', 'third-party-licenses.txt'), licenseTexts(packages));
writeFileSync(join(ROOT, 'out', 'bom.cdx.json'), `${JSON.stringify(bill, null, 2)}\n`);
