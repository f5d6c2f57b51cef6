// Lists shipped packages as a CycloneDX 1.6 document, and their licences as one text.

import { createHash } from 'node:crypto';

/** @typedef {import('./shipped-packages.mjs').ShippedPackage} ShippedPackage */

/**
 * The app itself and, in an installer, the Electron around it.
 *
 * @typedef {object} Product
 * @property {string} version
 * @property {{ version: string, license: string } | null} electron
 */

/** @param {string} name @param {string} version */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** A license identifier or an expression. @param {string} license */
const licenseOf = (license) =>
  / (AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } };

/** @param {{ name: string, version: string, license: string }} component */
const component = ({ name, version, license }) => ({
  type: 'library',
  'bom-ref': packageUrl(name, version),
  name,
  version,
  purl: packageUrl(name, version),
  licenses: [licenseOf(license)],
});

/** Derives the serial number from the contents, so that the same build has the same document. @param {string} text */
function serialNumber(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `urn:uuid:${parts.join('-')}-${hex.slice(20, 32)}`;
}

/** @param {Product} product @param {ShippedPackage[]} packages */
export function billOfMaterials({ version, electron }, packages) {
  const root = {
    type: 'application',
    'bom-ref': packageUrl('grantbench', version),
    name: 'grantbench',
    version,
    purl: packageUrl('grantbench', version),
    licenses: [licenseOf('MIT')],
  };
  const around =
    electron === null
      ? []
      : [{ ...component({ name: 'electron', ...electron }), type: 'framework' }];
  const components = [...around, ...packages.map(component)];
  const refs = components.map((one) => one['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumber([version, ...refs].join('\n')),
    version: 1,
    metadata: { component: root },
    components,
    dependencies: [{ ref: root['bom-ref'], dependsOn: refs }],
  };
}

/** @param {ShippedPackage[]} packages */
export function licenseTexts(packages) {
  const intro = 'Grantbench contains these packages, each under its own license.';
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  return `${[intro, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
