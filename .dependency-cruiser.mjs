const layer = (name, allowed, comment) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment,
  from: { path: `^src/${name}(/|\\.ts$)` },
  to: { path: '^src/', pathNot: [`^src/(${[name, ...allowed].join('|')})(/|\\.ts$)`] },
});

const onlyIn = (name, from, to) => ({
  name: `${name}-only-where-it-belongs`,
  severity: 'error',
  from: { path: '^src/', pathNot: from },
  to,
});

/** The page's folders: each imports only folders of the lines above it. */
const PAGE = [
  ['connection'],
  ['navigation'],
  ['ui'],
  ['actions', 'snippets', 'sending'],
  ['inspector'],
  ['exchange'],
  ['composing'],
  ['saved'],
  ['sequence'],
  ['recording', 'report'],
  ['connect'],
  ['views'],
  ['frame'],
];

const folders = (names) => `^src/renderer/(${names.join('|')})/`;

const pageOrder = PAGE.flatMap((line, place) =>
  line.map((name) => ({
    name: `renderer-${name}-imports-what-is-below-it`,
    severity: 'error',
    from: { path: folders([name]) },
    to: { path: folders([...line, ...PAGE.slice(place + 1).flat()]), pathNot: folders([name]) },
  })),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      // Electron's runtime provides the first, and Vite resolves its own queries.
      to: { couldNotResolve: true, pathNot: ['^electron(/|$)', '\\?(asset|raw|url|inline)$'] },
    },
    {
      name: 'src-stands-alone',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|scripts)/' },
    },

    layer('words', [], 'words are handed numbers and texts.'),
    layer('json', [], 'json is handed values and texts.'),
    layer('core', ['words', 'json'], 'core knows nothing but itself.'),
    layer('oauth', ['words', 'json'], 'oauth is handed fields and texts.'),
    layer('redact', [], 'redact is handed texts and what is secret in them.'),
    layer('server', ['core', 'redact', 'json'], 'server translates HTTP to core and back.'),
    layer('control', ['core', 'words', 'json'], 'control is a contract without bodies.'),
    layer(
      'scenario',
      ['core', 'oauth', 'redact', 'control', 'json'],
      'scenario is handed its sandbox.',
    ),
    layer(
      'engine',
      ['core', 'oauth', 'redact', 'server', 'control', 'words', 'json'],
      'engine is the wiring.',
    ),
    layer('main', ['redact', 'control', 'engine'], 'main is the window shell.'),
    layer('preload', ['control'], 'preload hands the page one port.'),
    layer(
      'renderer',
      ['core', 'oauth', 'redact', 'scenario', 'control', 'words', 'json'],
      'the page knows the contract, not the engine.',
    ),
    layer(
      'cli',
      ['oauth', 'redact', 'scenario', 'control', 'engine', 'words', 'json'],
      'cli is the headless shell.',
    ),
    layer(
      'library',
      ['oauth', 'control', 'engine', 'json'],
      'the library is the engine and the contract.',
    ),
    layer('index', ['library', 'control', 'engine'], 'index names what the library offers.'),
    {
      name: 'control-takes-types-and-schemas-of-core',
      severity: 'error',
      from: { path: '^src/control/' },
      to: {
        path: '^src/core/',
        pathNot: '^src/core/records/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'scenario-takes-types-and-records-of-core',
      severity: 'error',
      from: { path: '^src/scenario/' },
      to: {
        path: '^src/core/',
        pathNot: '^src/core/(records/|faults/presets\\.ts$)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'renderer-takes-the-json-reader-of-core',
      comment: 'It knows nothing of OAuth. Records come from control.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { path: '^src/core/', pathNot: '^src/core/records/json-text\\.ts$' },
    },
    {
      name: 'preload-takes-types-of-control',
      severity: 'error',
      from: { path: '^src/preload/' },
      to: { path: '^src/control/', dependencyTypesNot: ['type-only'] },
    },

    ...pageOrder,
    {
      name: 'views-do-not-import-views',
      comment: 'What two views show is a panel; what two compute goes to sending or connection.',
      severity: 'error',
      from: { path: '^src/renderer/views/([^/]+)/' },
      to: { path: '^src/renderer/views/', pathNot: '^src/renderer/views/$1/' },
    },

    onlyIn('electron', '^src/(main|preload)/', { path: '(^|/)electron(/|$)' }),
    onlyIn('react', '^src/renderer/', {
      path: '(^|/)node_modules/(react|react-dom|@mantine/[^/]+|@tabler/icons-react)/',
    }),
    onlyIn('node', '^src/(server|engine|main|cli|library)/', { dependencyTypes: ['core'] }),
    onlyIn('zod', '^src/core/records/zod\\.ts$', {
      path: '(^|/)node_modules/zod/',
      dependencyTypesNot: ['type-only'],
    }),
    onlyIn(
      'orpc',
      [
        '^src/control/',
        '^src/engine/(control-server|handlers)/',
        '^src/main/window-router\\.ts$',
        '^src/renderer/connection/control\\.ts$',
      ],
      { path: '(^|/)node_modules/@orpc/' },
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: 'specify',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'node'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.d.ts', '.json', '.css'],
    },
  },
};
