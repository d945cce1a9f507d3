import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { newNode, root, step } from './node.mjs'

const sources = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !['node_modules', 'dist', 'server', 'testing'].includes(entry.name) && !entry.name.includes('.test.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? sources(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))

const fingerprint = () => {
  const hash = createHash('sha256')
  for (const file of [...['console', 'contract', 'areas', 'main'].flatMap(sources), 'package-lock.json'])
    hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Builds the console when its sources are not those that the last build was made of. */
export const buildConsole = async () => {
  // Not in dist: everything there is served.
  const stamp = join(root, 'node_modules/.console-built')
  const wanted = fingerprint()
  const isBuilt = existsSync(join(root, 'console/dist/index.html')) && existsSync(stamp)
  if (isBuilt && readFileSync(stamp, 'utf8') === wanted) return 0
  // Hides warnings. Run `npx vite build` in console/ to see them.
  const build = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'error']
  const code = await step('Console', { doing: 'being built, half a minute the first time', done: 'built' }, newNode(), build, {
    cwd: join(root, 'console'),
    // Tests may ask for it, and theirs is another one.
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (code === 0) writeFileSync(stamp, wanted)
  return code
}
