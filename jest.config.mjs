/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  maxWorkers: '100%',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^@aimon/nestjs-memory$': '<rootDir>/lib/index.ts',
    '^@aimon/nestjs-memory/(health|config|class-validator)$': '<rootDir>/lib/nest/$1/index.ts',
    '^@aimon/nestjs-memory/(testing|testkit)$': '<rootDir>/lib/$1/index.ts',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          target: 'es2022',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  collectCoverageFrom: ['lib/**/*.ts'],
  coverageProvider: 'v8',
  // Tests measure no time; this only ends one that hangs, on however busy a machine.
  testTimeout: 120_000,
  reporters: ['default', '<rootDir>/test/support/plain-summary-reporter.mjs'],
};
