// Value imports between folders form no ring, a folder's own subfolders aside. Apart from the other
// rules, because this one must not see imports that are types only: they are gone once compiled, and may
// point any way.

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-rings-of-folders',
      comment: 'Move what both need below them, or hand it in from above.',
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
