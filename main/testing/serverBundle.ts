// Vitest's global set-up: the server as a bundle, for the processes that tests start. To load the 3,200 files of the server costs a process
// more than all else in its start; the same code in few files costs a third of that.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'vite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the run's programs by their names; without it, tests start their sources. */
    bundle: string
  }
}

const root = join(import.meta.dirname, '../..')
const parent = join(root, 'node_modules/.cache/penstock-server')
const programs = { server: 'main/server.ts', 'server.child': 'tests/faults/server.child.ts' }
/** Packages of so many files that they are bundled, too. */
const bundled = [/^typebox(\/|$)/, /^kysely(\/|$)/, /^@duckdb\/node-api(\/|$)/]

const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !['node_modules', 'dist', 'console'].includes(name) && !name.includes('.test.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? sources(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .filter((file) => /\.(ts|json)$/.test(file))

const fingerprint = () => {
  const hash = createHash('sha256')
  const files = ['areas', 'contract', 'edge', 'main', 'plant', 'sandbox', 'server', 'tests/faults'].flatMap(sources)
  for (const file of [...files, 'package-lock.json']) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex').slice(0, 32)
}

/** Files that a module reads, and workers that it starts, stay where they are: each module knows its own address. */
const addresses: Plugin = {
  name: 'addresses',
  enforce: 'pre',
  transform: {
    filter: { code: /import\.meta\.(url|dirname)/ },
    handler: (code, id) =>
      code
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
}

const make = async (folder: string) => {
  const draft = `${folder}.${process.pid}`
  const input = Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(root, file)]))
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    plugins: [addresses],
    ssr: { noExternal: bundled },
    build: { ssr: true, outDir: draft, minify: false, target: 'esnext', rolldownOptions: { input, output: { keepNames: true } } },
  })
  try {
    renameSync(draft, folder)
  } catch {
    // Another run was faster.
    rmSync(draft, { recursive: true, force: true })
  }
}

const day = 86_400_000
/** Bundles of other sources; one of today may serve another run. */
const sweep = () => {
  for (const name of readdirSync(parent)) {
    const folder = join(parent, name)
    if (Date.now() - statSync(folder).mtimeMs > day) rmSync(folder, { recursive: true, force: true })
  }
}

export default async ({ vitest }: TestProject) => {
  if (vitest.getProvidedContext().bundle) return
  const folder = join(parent, fingerprint())
  mkdirSync(parent, { recursive: true })
  if (!existsSync(folder)) {
    sweep()
    await make(folder)
  }
  vitest.provide('bundle', folder)
}
