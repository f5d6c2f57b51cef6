// Value imports form no cycle between folders, except with a folder's own subfolders. This is a separate configuration
// because it must not see type-only imports, which compilation removes and which may point anywhere.

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycles-of-folders',
      comment: 'Move what both need below them, or pass it in from above.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: false,
    includeOnly: '^src/',
  },
};
