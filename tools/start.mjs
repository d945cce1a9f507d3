import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildConsole } from './console.mjs'
import { install, main, root, runOurs } from './node.mjs'

/**
 * MB. On a large machine V8 lets the heap grow to four times of what is in use before it looks for garbage; under a limit below 2 GB
 * it does at less than twice (docs/performance.md). NODE_OPTIONS may say otherwise.
 */
const heap = process.env.NODE_OPTIONS?.includes('max-old-space-size') ? [] : ['--max-old-space-size=1536']

main(async () => {
  console.log(`Penstock ${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`)
  await install()
  if ((await buildConsole()) !== 0) throw new Error('The console could not be built; the reason is above.')
  return runOurs('main/server.ts', process.argv.slice(2), 'ignore', heap)
})
