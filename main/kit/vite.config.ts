import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const root = join(import.meta.dirname, '../..')

/** The kit has an entry of its own, so that the console that customers get holds none of it. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: join(root, 'console/public'),
  cacheDir: join(root, 'node_modules/.cache/kit'),
  plugins: [react()],
  resolve: { alias: { typebox: join(root, 'console/schemas.ts') } },
  // All of them from the start: a package that is found late would load the page again.
  optimizeDeps: { entries: ['start.tsx', '../../areas/*/*/console/**/*.tsx'] },
  server: { host: '127.0.0.1', port: 8430, fs: { allow: [root] } },
})
