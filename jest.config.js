const base = require('@jupyterlab/testutils/lib/jest-config')(__dirname);

const common = {
  transform: {
    ...base.transform,
    '^.+\\.tsx?$': ['ts-jest', { tsconfig: 'tsconfig.test.json' }]
  },
  // The preset's own list of ESM packages, with ours in front of it.
  transformIgnorePatterns: base.transformIgnorePatterns.map(pattern =>
    pattern.replace('(?!', '(?!@jupyterlab/|@noble/|')
  ),
  moduleNameMapper: base.moduleNameMapper,
  moduleFileExtensions: base.moduleFileExtensions,
  modulePathIgnorePatterns: [
    '<rootDir>/jupyterlab_mcp_bridge/',
    '<rootDir>/.venv/',
    '<rootDir>/.cache/',
    '<rootDir>/lib/'
  ]
};

module.exports = {
  reporters: ['default'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/unit/**/*.spec.ts']
    },
    {
      ...common,
      displayName: 'notebook',
      testEnvironment: base.testEnvironment,
      resolver: base.resolver,
      setupFiles: base.setupFiles,
      testMatch: ['<rootDir>/test/notebook/**/*.spec.ts']
    },
    {
      // What was built: sizes, and what is not in it.
      ...common,
      displayName: 'bundle',
      testEnvironment: 'node',
      testMatch: ['<rootDir>/test/bundle/**/*.spec.ts']
    },
    {
      ...common,
      displayName: 'e2e',
      testEnvironment: 'node',
      setupFilesAfterEnv: ['<rootDir>/test/e2e/support/toHaveReply.ts'],
      testMatch: ['<rootDir>/test/{e2e,attacks,faults}/**/*.spec.ts']
    }
  ]
};
