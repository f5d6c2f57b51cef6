// Lists shipped packages as a CycloneDX 1.6 document, and their licences as one text.

import { createHash } from 'node:crypto';

/** @typedef {import('./shipped-packages.mjs').ShippedPackage} ShippedPackage */

/** @param {string} name @param {string} version */
const packageUrl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** A license identifier or an expression. @param {string} license */
const licenseOf = (license) =>
  / (AND|OR|WITH) /.test(license) ? { expression: license } : { license: { id: license } };

/** @param {{ name: string, version: string, license: string }} component @param {string} type */
const component = ({ name, version, license }, type) => ({
  type,
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

/**
 * @param {string} version of Grantbench
 * @param {string | null} electron version of the Electron around it, in an installer
 * @param {ShippedPackage[]} packages
 */
export function billOfMaterials(version, electron, packages) {
  const root = component({ name: 'grantbench', version, license: 'MIT' }, 'application');
  const around =
    electron === null
      ? []
      : [component({ name: 'electron', version: electron, license: 'MIT' }, 'framework')];
  const components = [...around, ...packages.map((one) => component(one, 'library'))];
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

/** Returns the document as a text. @type {(...contents: Parameters<typeof billOfMaterials>) => string} */
export const billText = (...contents) =>
  `${JSON.stringify(billOfMaterials(...contents), null, 2)}\n`;

/** @param {ShippedPackage[]} packages */
export function licenseTexts(packages) {
  const intro = 'Grantbench contains these packages, each under its own license.';
  const parts = packages.map(
    ({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}`,
  );
  return `${[intro, ...parts].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
