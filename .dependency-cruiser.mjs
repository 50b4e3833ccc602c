/** Import directions; `npm run imports` checks them. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea in two places.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-are-islands',
      comment:
        'Services share contracts and libraries, never code: what one tells another is an event or a call.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-know-no-service-and-no-page',
      comment: 'A library that knows its users is not one.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|web|admin-web|deploy)/' },
    },
    {
      name: 'contracts-are-shapes-only',
      comment: 'Wire shapes stand alone, so that both apps and every service can read them.',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { pathNot: ['^libs/contracts/', 'node_modules/typebox/'] },
    },
    {
      name: 'rules-are-pure',
      comment: 'What decides about a text does no input or output.',
      severity: 'error',
      from: { path: '^libs/delivery/src/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^libs/(delivery|contracts)/|^libs/clock/src/durations', 'node_modules/typebox/'],
      },
    },
    {
      name: 'ui-knows-no-data',
      comment: 'Shared components get what they show from their page.',
      severity: 'error',
      from: { path: '^libs/ui/' },
      to: { path: '(^libs/api-client/|node_modules/(react-router|@tanstack)/)' },
    },
    {
      name: 'apps-use-no-server-code',
      comment: 'A page that imports a service or a server library would ship it to browsers.',
      severity: 'error',
      from: { path: '^(web|admin-web)/src/' },
      to: { path: '^(services/|libs/(server|database|events|jobs|clock|mail|testing)/)' },
    },
    {
      name: 'apps-import-types-of-schemas-only',
      comment: 'A value of a file with schemas brings TypeBox into the bundle.',
      severity: 'error',
      from: { path: '^(web|admin-web)/src/|^libs/(ui|api-client)/src/' },
      to: {
        path: '^libs/contracts/src/',
        pathNot: '/limits\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-do-not-import-each-other',
      comment:
        'Imports flow shared -> feature -> routes; what two features need is shared, with a name.',
      severity: 'error',
      from: { path: '^(web|admin-web)/src/features/([^/]+)/' },
      to: { path: '^(web|admin-web)/src/features/([^/]+)/', pathNot: '^$1/src/features/$2/' },
    },
    {
      name: 'only-events-speaks-nats',
      comment: 'One way to publish: the outbox.',
      severity: 'error',
      from: { pathNot: '^(libs/events|deploy)/' },
      to: { path: 'node_modules/@nats-io/' },
    },
    {
      name: 'tests-stay-out-of-products',
      comment: 'What runs in production imports no test code.',
      severity: 'error',
      from: { pathNot: '(\\.test\\.tsx?$|/test/|^libs/testing/|^deploy/)' },
      to: { path: '(\\.test\\.tsx?$|/test/|^libs/testing/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css'],
    },
  },
};
