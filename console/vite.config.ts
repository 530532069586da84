import { defineConfig } from 'vite';

import { pageConfig } from './page-config.ts';

export default defineConfig(pageConfig(import.meta.dirname, 'dist/console'));
