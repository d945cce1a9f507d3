import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { antdRules } from './antdRules.config.ts'

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

/** What somebody who is signed in needs for any screen, by the names of the groups below. */
const needed = ['shell', 'parts', 'lists', 'antdRules']
/**
 * A second page for all addresses but the login's (server/http/console.ts): it names these files, which are otherwise asked for one after
 * the other, each when the one before has been read.
 */
const named: Plugin = {
  name: 'named',
  writeBundle: ({ dir }, files) => {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk' && needed.includes(file.name))
    const links = chunks.flatMap((file) => [
      `<link rel="modulepreload" crossorigin href="/${file.fileName}">`,
      ...[...(file.type === 'chunk' ? (file.viteMetadata?.importedCss ?? []) : [])].map(
        (style) => `<link rel="stylesheet" crossorigin href="/${style}">`,
      ),
    ])
    const page = readFileSync(join(dir!, 'index.html'), 'utf8')
    writeFileSync(join(dir!, 'console.html'), page.replace('</head>', `  ${links.join('\n    ')}\n  </head>`))
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed, named],
  // For theme/antdRules.ts.
  define: { antdRules: JSON.stringify(antdRules()) },
  resolve: { alias: { typebox: join(import.meta.dirname, 'schemas.ts') } },
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
          // the console behind the login, components of nearly every screen, and those of lists.
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            { name: 'start', test: /main\/console\.tsx$|session\/console\/Login\.tsx$/ },
            { name: 'shell', test: /console\/shell\/(Console|antdWords)\.tsx?$|main\/(SignedIn|screens)\.tsx?$/ },
            {
              name: 'parts',
              test: /antd\/es\/(table|form|select|input|tabs|modal)\/|icons\/es\/icons\/|console\/kernel\/(Empty|api|list\/(arrange|usePreference))\./,
            },
            { name: 'lists', test: /console\/kernel\/ResourceList\.tsx$/ },
          ],
        },
      },
    },
  },
})
