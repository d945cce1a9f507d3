import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = process.env.PENSTOCK_URL ?? 'http://127.0.0.1:8420'

/** The server sends what lies beside a file under its name with `.br` or `.gz`; without TLS browsers take the latter only. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle: ({ dir }) => {
    const assets = join(dir!, 'assets')
    for (const name of readdirSync(assets)) {
      const path = join(assets, name)
      const content = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))
      writeFileSync(`${path}.gz`, gzipSync(content))
    }
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed],
  server: { proxy: { '/api': { target: server, ws: true } } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The content security policy allows no inline script: no inlined polyfill, no data: modules.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files come sooner than many. Each group takes what it needs and no group before it has: what every page begins with,
          // the console behind the login, what nearly every screen draws with, what lists need besides.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'start', test: /console\/(main|areas\/session\/Login)\.tsx$/ },
            { name: 'shell', test: /console\/app\/(Console|antdWords)\.tsx?$/ },
            {
              name: 'parts',
              test: /antd\/es\/(table|form|select|input|tabs|modal)\/|icons\/es\/icons\/|console\/(resource\/(Empty|api)|list\/(arrange|usePreference))\./,
            },
            { name: 'lists', test: /console\/resource\/ResourceList\.tsx$/ },
          ],
        },
      },
    },
  },
})
