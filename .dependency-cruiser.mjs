/** Import directions; `npm run imports` checks them. */
export default {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Files that import each other belong together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'services-are-independent',
      comment: 'Services share contracts and libraries only; they communicate by events and calls.',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/([^/]+)/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-import-no-services-or-apps',
      comment: 'Libraries must not depend on their users.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(services|web|admin-web|deploy)/' },
    },
    {
      name: 'contracts-are-schemas-only',
      comment: 'Schemas have no dependencies, so that apps and services can import them.',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { pathNot: ['^libs/contracts/', 'node_modules/typebox/'] },
    },
    {
      name: 'rules-are-pure',
      comment: 'Delivery rules do no I/O.',
      severity: 'error',
      from: { path: '^libs/delivery/src/', pathNot: '\\.test\\.ts$' },
      to: {
        pathNot: ['^libs/(delivery|contracts)/|^libs/clock/src/durations', 'node_modules/typebox/'],
      },
    },
    {
      name: 'ui-has-no-data',
      comment: 'Shared components get their data as props.',
      severity: 'error',
      from: { path: '^libs/ui/' },
      to: { path: '(^libs/api-client/|node_modules/(react-router|@tanstack)/)' },
    },
    {
      name: 'apps-use-no-server-code',
      comment: 'Server code must not be shipped to browsers.',
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
        pathNot: '/(limits|no-text-words|plans|shown-status)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-do-not-import-each-other',
      comment:
        'Imports go from routes to features to shared code. Move code that two features need to the shared folder.',
      severity: 'error',
      from: { path: '^(web|admin-web)/src/features/([^/]+)/' },
      to: { path: '^(web|admin-web)/src/features/([^/]+)/', pathNot: '^$1/src/features/$2/' },
    },
    {
      name: 'only-events-uses-nats',
      comment: 'Events are published through the outbox only.',
      severity: 'error',
      from: { pathNot: '^(libs/events|deploy)/' },
      to: { path: 'node_modules/@nats-io/' },
    },
    {
      name: 'no-test-code-in-production',
      comment: 'Production code must not import test code.',
      severity: 'error',
      from: { pathNot: '(\\.test\\.tsx?$|/test/|/e2e/|^libs/testing/|^deploy/)' },
      to: { path: '(\\.test\\.tsx?$|/test/|/e2e/|^libs/testing/)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '/dist/' },
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.css'],
    },
  },
};
