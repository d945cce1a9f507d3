// npm test: every check there is, and one closing line that sums them up.
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { buildConsole } from './console.mjs'
import { install, main, newNode, root, run } from './node.mjs'
import { vitest } from './vitest.mjs'

const total = { passed: 0, failed: 0, skipped: [], again: [], why: [], broken: [], seconds: {} }

const check = async (title, work) => {
  console.log(`\n== ${title}`)
  const passed = (await work()) === 0
  total[passed ? 'passed' : 'failed']++
  if (!passed) console.log(`${title}: FAILED`)
}

const tool = (path, ...args) => run(newNode(), [join(root, 'node_modules', path), ...args])

main(async () => {
  await install()
  const chromium = findChromium({ isWindowless: true })
  if (!chromium) console.log('There is no Chromium here and none could be installed: the browser journeys are skipped.')
  await Promise.all([
    check('Format and lint', () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.')),
    check('Types', () => tool('typescript/bin/tsc', '--noEmit')),
    check('Build of the console', buildConsole),
  ])
  console.log('\n== Browser journeys, and all but the faults beside them')
  // A journey leaves much of two processors idle, and a late screen may fail it: it goes first, the others wait well.
  await vitest(total, [{ projects: ['journeys'] }, { projects: ['plain', 'areas', 'server', 'security'], isBehind: true }], chromium)
  console.log('\n== Faults')
  // Most of the time of a kill is waiting: three at a time suit two cores, as in tools/faults.mjs.
  await vitest(total, [{ projects: ['faults'], workers: 3 }], chromium)
  if (total.skipped.length) {
    console.log('\nSkipped:')
    for (const { name, reason } of total.skipped) console.log(`  ${name}: ${reason}`)
  }
  if (total.why.length) console.log(`\nWhat failed, the first time too:\n  ${total.why.join('\n  ')}`)
  if (total.again.length) console.log(`\nFailed once, tried again alone:\n  ${total.again.join('\n  ')}`)
  if (total.broken.length) console.log(`\nRuns that failed as a whole, their error stands above:\n  ${total.broken.join('\n  ')}`)
  console.log('\nDearest files, seconds beside the others:')
  const dearest = Object.entries(total.seconds).sort(([, a], [, b]) => b - a)
  for (const [file, seconds] of dearest.slice(0, 10)) console.log(`${seconds.toFixed(0).padStart(6)}  ${file}`)
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
  return total.failed ? 1 : 0
})
