import js from '@eslint/js';
import typescript from 'typescript-eslint';

export default typescript.config(
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  ...typescript.configs.strictTypeChecked,
  ...typescript.configs.stylisticTypeChecked,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // Indexing is checked by noUncheckedIndexedAccess; the mark says that the code around it knows better.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/unbound-method': 'off',
      // Code points are what is wanted where a text is spread.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
    },
  },
  {
    files: ['**/*.js'],
    extends: [typescript.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        CSS: 'readonly',
        document: 'readonly',
        location: 'readonly',
        localStorage: 'readonly',
        addEventListener: 'readonly',
        self: 'readonly',
      },
    },
  },
);
