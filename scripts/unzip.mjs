// Unpacks a zip file as a stream, with executable permissions and symbolic links.

import { createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

const TYPE = 0o170000;
const LINK = 0o120000;

/**
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | null} place returns the path inside the folder, or null to skip the entry
 */
export async function unzip(archive, folder, place) {
  const zip = await yauzl.openPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const path = entry.fileName.endsWith('/') ? null : place(entry.fileName);
    if (path === null) continue;
    const target = join(folder, path);
    const mode = entry.externalFileAttributes >>> 16;
    await mkdir(dirname(target), { recursive: true });
    const content = await zip.openReadStreamPromise(entry);
    if ((mode & TYPE) === LINK) await symlink(await text(content), target);
    else await pipeline(content, createWriteStream(target, { mode: mode & 0o777 || 0o644 }));
  }
}
