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

/** Modules that my orders need without signal, by the ends of their paths; what they import comes with them. */
const offline = [
  ...['main/console.tsx', 'main/SignedIn.tsx', 'console/theme/antdRules.ts', 'console/shell/antdWords.ts', 'console/shell/screens.ts'],
  ...['MyOrders', 'OrderPage', 'ShiftDialog', 'StepDialog'].map((name) => `maintenance/orders/console/${name}.tsx`),
  ...['MyPlanned', 'FinishDialog'].map((name) => `maintenance/upkeep/console/${name}.tsx`),
  ...['MyRounds', 'QrReader'].map((name) => `maintenance/patrols/console/${name}.tsx`),
  ...['maintenance/job-sheets/console/OrderWork.tsx', 'maintenance/knowledge-base/console/Offered.tsx', 'jsqr/dist/jsQR.js'],
  ...['kept', 'queue', 'photos', 'install', 'store'].map((name) => `console/offline/${name}.ts`),
]
const locales = { en: 'en_US', zh: 'zh_CN', es: 'es_ES', ja: 'ja_JP' }
/** `offline.json`: the files that a phone keeps to start my orders without signal (console/offline/install.ts). */
const listed: Plugin = {
  name: 'listed',
  writeBundle({ dir }, files) {
    const chunks = Object.values(files).filter((file) => file.type === 'chunk')
    const needs = (name: string, seen: Set<string>): Set<string> => {
      const file = files[name]
      if (!file || seen.has(name)) return seen
      seen.add(name)
      if (file.type !== 'chunk') return seen
      for (const style of file.viteMetadata?.importedCss ?? []) seen.add(style)
      for (const asset of file.viteMetadata?.importedAssets ?? []) seen.add(asset)
      for (const next of file.imports) needs(next, seen)
      return seen
    }
    const of = (ends: readonly string[]) => {
      const seen = new Set<string>()
      for (const end of ends) {
        // A module that is imported dynamically may have a chunk of its own that only leads to the one with its code.
        const isIt = (id: string | null) => id?.endsWith(`/${end}`) === true
        const found = chunks.filter(({ facadeModuleId, moduleIds }) => isIt(facadeModuleId) || moduleIds.some(isIt))
        if (!found.length) throw new Error(`offline.json: no chunk has ${end}`)
        for (const { fileName } of found) needs(fileName, seen)
      }
      return [...seen].map((name) => `/${name}`)
    }
    const core = of(offline)
    // A part that such a screen asks for later must be there, too: without signal it never comes.
    const modules = new Set(chunks.filter(({ fileName }) => core.includes(`/${fileName}`)).flatMap(({ moduleIds }) => moduleIds))
    for (const id of [...modules].filter((id) => /\/areas\/maintenance\/.*\.tsx$/.test(id)))
      for (const later of this.getModuleInfo(id)?.dynamicallyImportedIds ?? [])
        if (!modules.has(later)) throw new Error(`offline.json: ${later} is missing, which ${id} loads`)
    const languages = Object.entries(locales).map(([language, locale]) => [
      language,
      of([`console/words/all/${language}.ts`, `antd/es/locale/${locale}.js`]).filter((name) => !core.includes(name)),
    ])
    writeFileSync(
      join(dir!, 'offline.json'),
      JSON.stringify({ files: [...core, '/penstock.svg'], languages: Object.fromEntries(languages) }),
    )
  },
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed, named, listed],
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
