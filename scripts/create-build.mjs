// Makes a build while the former one may be running. The build is made in a temporary folder and then replaces the
// former one: first the files with a content hash in their names, then those that refer to them. Files that the
// former build may still load remain until the next build. The caller supplies the bundler.

import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

/** The folders of a build from which programs load; its other files are metadata. */
const LOADED = ['node', 'preload', 'renderer'];

/** The folders in which all file names have a content hash. */
const HASHED = /^(?:node\/chunks|renderer\/assets)\//;

/** Written last, so that a build without this file is recognized as incomplete. */
const RECORD = 'build.json';

/** The name of a temporary folder, with the id of its process. */
const ASIDE = '.building-';

/**
 * @typedef {object} BuildRecord
 * @property {string} sources digest of the sources
 * @property {Record<string, number>} files of the build by path, with their sizes in bytes
 */

/**
 * @typedef {object} BuildOptions
 * @property {string} root of the project; the build is in its folder `out`
 * @property {string[]} sources files and folders, without those that begin with a dot
 * @property {(folder: string) => Promise<string | null>} bundle writes the build into a folder, and resolves to what
 * went wrong, or to null
 */

/** @param {string} folder @returns {string[]} paths with slashes */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** @param {string} file */
const statIfThere = (file) => statSync(file, { throwIfNoEntry: false });

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** Creates an empty folder and removes those of killed processes. @param {string} out */
function makeFolderAside(out) {
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(out).filter((entry) => entry.startsWith(ASIDE))) {
    const pid = Number(name.slice(ASIDE.length));
    if (pid === process.pid || !isAlive(pid)) rmSync(join(out, name), { recursive: true });
  }
  const folder = join(out, `${ASIDE}${process.pid}`);
  mkdirSync(folder);
  return folder;
}

/** @param {BuildOptions} options */
function describeSources({ root, sources }) {
  const lines = sources.flatMap((source) => {
    const path = join(root, source);
    const files = statIfThere(path)?.isDirectory() ? filesIn(path) : [''];
    return files
      .filter((file) => !/(?:^|\/)\./.test(file))
      .map((file) => {
        const stats = statIfThere(join(path, file));
        return `${source}/${file} ${stats?.size} ${stats?.mtimeMs}\n`;
      });
  });
  return createHash('sha256').update(lines.sort().join('')).digest('hex');
}

/** @param {string} from @param {string} to */
function move(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  renameSync(from, to);
}

/** @param {BuildOptions} options */
export function createBuild(options) {
  const out = join(options.root, 'out');
  const recordFile = join(out, RECORD);

  /** @returns {BuildRecord | null} */
  const readRecord = () => {
    const text = statIfThere(recordFile) && readFileSync(recordFile, 'utf8');
    return text ? JSON.parse(text) : null;
  };

  /** Whether the build is complete and made from the current sources. */
  const isFresh = () => {
    const record = readRecord();
    return (
      record !== null &&
      Object.entries(record.files).every(
        ([file, size]) => statIfThere(join(out, file))?.size === size,
      ) &&
      record.sources === describeSources(options)
    );
  };

  /**
   * Removes the files that belong to none of the builds.
   *
   * @param {(BuildRecord | null)[]} builds
   * @param {number} since time in ms; newer files belong to a build that another process is making
   */
  const removeOthers = (builds, since) => {
    const kept = new Set(builds.flatMap((build) => Object.keys(build?.files ?? {})));
    const folders = LOADED.filter((folder) => statIfThere(join(out, folder)));
    const files = folders.flatMap((folder) =>
      filesIn(join(out, folder)).map((file) => `${folder}/${file}`),
    );
    for (const file of files.filter((name) => !kept.has(name)))
      if ((statIfThere(join(out, file))?.mtimeMs ?? since) < since) rmSync(join(out, file));
  };

  /** @param {string} made @param {string} sources */
  const replace = (made, sources) => {
    const former = readRecord();
    const formerAt = statIfThere(recordFile)?.mtimeMs ?? 0;
    const names = filesIn(made);
    const files = Object.fromEntries(names.map((name) => [name, statSync(join(made, name)).size]));
    const isHashed = (/** @type {string} */ name) => HASHED.test(name);
    for (const name of names.filter(isHashed))
      if (statIfThere(join(out, name))?.size !== files[name])
        move(join(made, name), join(out, name));
    for (const name of names.filter((other) => !isHashed(other)))
      move(join(made, name), join(out, name));
    const record = { sources, files };
    writeFileSync(join(made, RECORD), JSON.stringify(record));
    move(join(made, RECORD), recordFile);
    removeOthers([record, former], formerAt);
  };

  /** @returns {Promise<string | null>} the error, or null; after an error, the former build is unchanged */
  const make = async () => {
    const sources = describeSources(options);
    const folder = makeFolderAside(out);
    try {
      const problem = await options.bundle(folder);
      if (problem === null) replace(folder, sources);
      return problem;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  return {
    isFresh,
    make,
    /** Removes all files of former builds; running programs must be restarted. */
    removeFormer: () => removeOthers([readRecord()], Infinity),
  };
}
