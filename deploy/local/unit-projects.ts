const names = {
  libs: [
    'contracts',
    'server',
    'database',
    'events',
    'jobs',
    'clock',
    'api-client',
    'delivery',
    'mail',
  ],
  services: ['accounts', 'billing', 'content', 'scheduler', 'sms-gateway', 'gateway', 'sandbox'],
  '.': ['web', 'admin-web'],
  deploy: ['local', 'secrets'],
};

export const unitProjects: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([folder, all]) =>
    all.map((name) => [name, folder === '.' ? `${name}/src` : `${folder}/${name}`] as const),
  ),
);
