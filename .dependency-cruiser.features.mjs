import imports from './.dependency-cruiser.mjs';

/** Imports among the features (folders) of a service; `npm run imports` checks them. */
export default {
  forbidden: [
    {
      name: 'no-cycles-of-features',
      comment:
        'Move a function to the feature that owns it, or pass it in from app.ts, consumers.ts or loops.ts.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^services/[^/]+/src/[^/]+$' },
      to: { circular: true },
    },
  ],
  options: {
    ...imports.options,
    // The files beside the features import all of them and are imported by all of them.
    includeOnly: '^services/[^/]+/src/[^/]+/',
    exclude: '\\.test\\.ts$',
  },
};
