import tseslint from 'typescript-eslint';

/** Sizes beyond which a file or function is to be cut. */
const LIMITS = {
  'max-lines': ['error', { max: 250 }],
  'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
  complexity: ['error', { max: 12 }],
  'max-depth': ['error', 3],
  'max-params': ['error', 3],
};

/** Mistakes that no type shows. */
const MISTAKES = Object.fromEntries(
  [
    'eqeqeq',
    'no-constant-binary-expression',
    'no-constant-condition',
    'no-control-regex',
    'no-debugger',
    'no-empty',
    'no-fallthrough',
    'no-implicit-coercion',
    'no-self-compare',
    'no-template-curly-in-string',
    'no-unmodified-loop-condition',
    'no-unsafe-finally',
    'no-useless-escape',
    'no-useless-rename',
    'no-var',
    'object-shorthand',
    'prefer-const',
  ].map((rule) => [rule, 'error']),
);

const NO_DEFAULT_EXPORT = {
  selector: 'ExportDefaultDeclaration',
  message: 'Export by name, so that a thing has one name everywhere.',
};

const AMBIENT = {
  Date: 'Time comes through the clock port or as an argument.',
  process: 'The environment is read in cli only.',
  console: 'What is printed goes through render and cli.',
  fetch: 'Only datastore backends reach the network.',
  setTimeout: 'Waiting goes through the clock port.',
  setInterval: 'Waiting goes through the clock port.',
  performance: 'Time comes through the clock port or as an argument.',
  crypto: 'Randomness makes results differ between runs.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'dist-*/',
      'build/',
      'coverage/',
      'node_modules/',
      'reports/',
      'test/fixtures/',
      'test/golden/**/*.json',
    ],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: 'tsconfig.test.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...LIMITS,
      ...MISTAKES,
      'no-console': 'error',
      'no-param-reassign': 'error',
      'no-restricted-syntax': ['error', NO_DEFAULT_EXPORT],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
      // A port promises, also where a backend answers at once.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // The core answers for what it is given, and for nothing else.
    files: ['src/{net,ipam,check,render,engine,operations}/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...Object.entries(AMBIENT).map(([name, message]) => ({ name, message })),
      ],
      'no-restricted-properties': [
        'error',
        {
          object: 'Math',
          property: 'random',
          message: 'Randomness makes results differ between runs.',
        },
      ],
    },
  },
  {
    // oclif finds a command by its default export.
    files: ['src/commands/**/*.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 300 }],
      'max-lines-per-function': 'off',
      'max-params': ['error', 4],
      'no-console': 'off',
      // chai's assertions are properties.
      '@typescript-eslint/no-unused-expressions': 'off',
      // A test may state that a thing is there by using it.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [tseslint.configs.base],
    rules: { ...LIMITS, ...MISTAKES, 'no-unused-vars': 'error' },
  },
  {
    // A table of rules, read from top to bottom.
    files: ['.dependency-cruiser.cjs'],
    rules: { 'max-lines': 'off', 'max-params': 'off' },
  },
);
