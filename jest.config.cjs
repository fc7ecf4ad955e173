// Sources are compiled by swc at test time; packages of this repository resolve to their sources, never to dist.
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } },
    ],
  },
  moduleNameMapper: {
    '^@latchkey/(contracts|kit|messaging|persistence|hosting|embedded|sandbox)$': '<rootDir>/libs/$1/src/index.ts',
    '^@latchkey/(auth|user|mailer|payment|standalone)$': '<rootDir>/services/$1/src/index.ts',
    '^@latchkey/gateway$': '<rootDir>/gateway/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
  modulePathIgnorePatterns: ['/dist/', '/data/', '/\\.build/'],
};

module.exports = {
  // Waiting for a mail or a state may take its time on a busy machine; nothing is asserted about how long.
  testTimeout: 30_000,
  // By default jest leaves one core alone, which of two is half of them.
  maxWorkers: '100%',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: [
        '<rootDir>/libs/**/src/**/*.test.ts',
        '<rootDir>/services/**/src/**/*.test.ts',
        '<rootDir>/gateway/src/**/*.test.ts',
        '<rootDir>/gateway/web/src/**/*.test.ts',
      ],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: [
        '<rootDir>/tests/{contract,e2e,architecture,command}/**/*.test.ts',
        '<rootDir>/tests/timing/statistics.test.ts',
      ],
    },
    { ...shared, displayName: 'timing', testMatch: ['<rootDir>/tests/timing/enumeration.test.ts'] },
    // What needs real servers (see .ci/engines).
    { ...shared, displayName: 'real', testMatch: ['<rootDir>/tests/real/**/*.test.ts'] },
    {
      // Tests that also run on the embedded database, as they are.
      ...shared,
      displayName: 'real-services',
      globals: { databaseEngine: 'mongodb' },
      globalSetup: '<rootDir>/tests/real/services-setup.cjs',
      globalTeardown: '<rootDir>/tests/real/services-teardown.cjs',
      setupFilesAfterEnv: ['<rootDir>/tests/real/drop-databases.ts'],
      testMatch: [
        '<rootDir>/libs/persistence/src/**/*.test.ts',
        '<rootDir>/services/{auth,user}/src/{use-cases,throttling}/**/*.test.ts',
        '<rootDir>/services/user/src/*.test.ts',
        '<rootDir>/services/mailer/src/{mailer,sender,delivery-log,secrets,mail-leases,record-attempt}.test.ts',
        '<rootDir>/tests/contract/payment/**/*.test.ts',
      ],
    },
    {
      // The end-to-end tests as they are, on six processes; but those that turn the clock or compose the processes themselves.
      ...shared,
      displayName: 'real-e2e',
      globals: { latchkeySystem: 'processes' },
      globalSetup: '<rootDir>/tests/real/e2e-setup.cjs',
      globalTeardown: '<rootDir>/tests/real/e2e-teardown.cjs',
      setupFilesAfterEnv: ['<rootDir>/tests/real/e2e-patience.ts'],
      testMatch: ['<rootDir>/tests/e2e/!(clock|processes).test.ts'],
    },
    // What needs a browser (see .ci/engines).
    { ...shared, displayName: 'browser', testMatch: ['<rootDir>/tests/browser/**/*.test.ts'] },
    // What tries the interface out by its own document (see .ci/engines).
    { ...shared, displayName: 'schemathesis', testMatch: ['<rootDir>/tests/schemathesis/**/*.test.ts'] },
    // What needs a Docker engine.
    {
      ...shared,
      displayName: 'compose',
      globals: { latchkeySystem: 'compose' },
      globalSetup: '<rootDir>/tests/compose/setup.cjs',
      globalTeardown: '<rootDir>/tests/compose/teardown.cjs',
      testMatch: [
        '<rootDir>/tests/compose/**/*.test.ts',
        '<rootDir>/tests/e2e/{contract,payments,reset-flows}.test.ts',
      ],
    },
    { ...shared, displayName: 'faults', testMatch: ['<rootDir>/tests/faults/*.test.ts'] },
    { ...shared, displayName: 'faults-real', testMatch: ['<rootDir>/tests/faults/real/*.test.ts'] },
  ],
};
