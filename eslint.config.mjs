import js from '@eslint/js';
import jupyter from '@jupyter/eslint-plugin';
import prettier from 'eslint-config-prettier';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Import borders of docs/design.md, as `no-restricted-imports` groups. */
const lab = {
  group: ['@jupyterlab/*', '@lumino/*', '@jupyter/*'],
  allowTypeImports: true,
  message:
    'Here only types of JupyterLab may be imported: go through src/jupyter.'
};
const sdk = {
  group: ['@modelcontextprotocol/*'],
  message:
    'Only src/surfaces/mcp.ts and bridge/src/{clients,tabs,signin} know the MCP SDK.'
};
const zod = {
  group: ['zod', 'zod/*'],
  allowTypeImports: true,
  message: 'zod is loaded with the first call: only tools and arguments use it.'
};
const cuts = {
  group: ['**/results/graphemes'],
  message:
    'A text is cut with results/parts, which leaves no piece of a secret at the cut.'
};
const node = { group: ['node:*'], message: 'This code runs in a browser.' };
const lazy = {
  group: ['**/surfaces/*', '**/transports/*', '**/tools/*', '**/calls/call'],
  allowTypeImports: true,
  message: 'Loaded lazily: use import().'
};
const border = (files, ...patterns) => ({
  files,
  ignores: ['test/**'],
  rules: {
    '@typescript-eslint/no-restricted-imports': ['error', { patterns }]
  }
});

export default tseslint.config(
  {
    ignores: [
      '**/node_modules',
      'lib',
      '**/dist',
      '**/coverage',
      '.venv',
      '.cache',
      'jupyterlab_mcp_bridge',
      'src/generated'
    ]
  },
  js.configs.recommended,
  tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports' }
      ],
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: 'interface',
          format: ['PascalCase'],
          custom: { regex: '^I[A-Z]', match: true }
        }
      ],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-namespace': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }
      ],
      curly: ['error', 'all'],
      eqeqeq: 'error',
      'prefer-arrow-callback': 'error'
    }
  },
  jupyter.configs.recommended,
  {
    // What models read is not translated.
    files: [
      'src/{surfaces,tools}/**/*.ts',
      'bridge/src/**/*.ts',
      'test/**/*.ts'
    ],
    rules: { 'jupyter/no-untranslated-string': 'off' }
  },
  border(['src/**/*.ts'], sdk, node, cuts),
  border(['src/{calls,tools}/**/*.ts'], lab, sdk, node, cuts),
  border(['protocol/**/*.ts'], lab, sdk, node, zod),
  border(['src/results/**/*.ts'], lab, sdk, node, zod, {
    group: ['../*'],
    message: 'Results import nothing but themselves.'
  }),
  border(['src/{jupyter,dialogs,ui}/**/*.ts'], sdk, node, zod, cuts),
  border(['src/index.ts'], sdk, node, zod, lazy),
  border(
    ['src/transports/**/*.ts', 'src/surfaces/**/*.ts'],
    node,
    zod,
    lab,
    sdk
  ),
  border(
    ['src/surfaces/mcp.ts', 'src/transports/messagePort.ts'],
    node,
    zod,
    lab
  ),
  border(['bridge/src/**/*.ts'], lab, zod, sdk),
  border(['bridge/src/{clients,tabs,signin}/**/*.ts'], lab, zod),
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: { ...globals.node } },
    rules: { '@typescript-eslint/no-require-imports': 'off' }
  },
  prettier
);
