// The files of the build that every start loads. Node spends up to half a millisecond on each file, so the engine is in
// two: what the command line's short commands load as well, and the rest.

import { join } from 'node:path';

/** @typedef {{ getModuleInfo(id: string): { importedIds: readonly string[], dynamicallyImportedIds: readonly string[] } | null }} Graph */

/** Returns the modules that are loaded with an entry. @param {string} entry @param {Graph} graph */
function loadedWith(entry, graph) {
  const loaded = new Set([entry]);
  for (const id of loaded) {
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) loaded.add(imported);
  }
  return loaded;
}

/** @param {string} root the project's folder */
export function engineChunks(root) {
  const engine = join(root, 'src', 'engine', 'engine.ts');
  const program = join(root, 'src', 'cli', 'program.ts');

  /** Returns the modules of the engine that commands load without it. @param {Graph} graph */
  function sharedWithCommands(graph) {
    const ofEngine = loadedWith(engine, graph);
    const commands = graph.getModuleInfo(program)?.dynamicallyImportedIds ?? [];
    const loaded = [program, ...commands].map((entry) => loadedWith(entry, graph));
    const short = loaded.filter((modules) => !modules.has(engine));
    return new Set(short.flatMap((modules) => [...modules].filter((id) => ofEngine.has(id))));
  }

  /** @type {ReturnType<typeof sharedWithCommands> | null} */
  let shared = null;
  return [
    {
      /** @param {string} id @param {Graph} graph */
      name: (id, graph) => ((shared ??= sharedWithCommands(graph)).has(id) ? 'commands' : null),
      priority: 1,
    },
    // With all that it imports.
    { name: 'engine', test: /src.engine.engine\.ts$/ },
  ];
}
