// `npm run icons`: draws resources/icon.svg in all sizes that systems need, with the browser of the tests.
// resources/icon.png is the one of 512 pixels; .ico and .icns are containers of PNGs.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ROOT } from './run.mjs';
import { browserLaunch } from './test-runtimes.mjs';

const RESOURCES = join(ROOT, 'resources');
const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const IN_ICO = [16, 24, 32, 48, 64, 256];
/** Apple's names of the entries; those with double size are for screens with double density. */
const IN_ICNS = /** @type {const} */ ([
  ['icp4', 16],
  ['icp5', 32],
  ['ic11', 32],
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic14', 512],
  ['ic09', 512],
  ['ic10', 1024],
]);

/** @returns {Promise<Map<number, Buffer>>} */
async function draw() {
  const browser = await chromium.launch(browserLaunch());
  const svg = readFileSync(join(RESOURCES, 'icon.svg')).toString('base64');
  const drawn = new Map();
  for (const size of SIZES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const image = `<img src="data:image/svg+xml;base64,${svg}" width="${size}" height="${size}" style="display:block">`;
    await page.setContent(`<body style="margin:0">${image}`);
    drawn.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  await browser.close();
  return drawn;
}

/** Returns a Windows icon: a table of positions, then the pictures. @param {[number, Buffer][]} pictures */
function ico(pictures) {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let place = head.length;
  pictures.forEach(([size, png], index) => {
    const at = 6 + 16 * index;
    // A size of 256 is written as 0.
    head.writeUInt8(size % 256, at);
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(place, at + 12);
    place += png.length;
  });
  return Buffer.concat([head, ...pictures.map(([, png]) => png)]);
}

/** @param {string} name @param {Buffer} content */
function entry(name, content) {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32BE(content.length + head.length, 4);
  return Buffer.concat([head, content]);
}

const drawn = await draw();
/** @param {number} size */
const png = (size) => drawn.get(size) ?? Buffer.alloc(0);
mkdirSync(join(RESOURCES, 'icons'), { recursive: true });
for (const [size, content] of drawn) {
  const name = size === 512 ? 'icon.png' : join('icons', `${size}.png`);
  writeFileSync(join(RESOURCES, name), content);
}
writeFileSync(join(RESOURCES, 'icons', 'icon.ico'), ico(IN_ICO.map((size) => [size, png(size)])));
const pictures = IN_ICNS.map(([name, size]) => entry(name, png(size)));
writeFileSync(join(RESOURCES, 'icons', 'icon.icns'), entry('icns', Buffer.concat(pictures)));
