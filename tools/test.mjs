// npm test: every check there is, and one closing line that sums them up.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { buildConsole } from './console.mjs'
import { install, main, newNode, root, run } from './node.mjs'

const total = { passed: 0, failed: 0, skipped: [] }

const check = async (title, work) => {
  console.log(`\n== ${title}`)
  const passed = (await work()) === 0
  total[passed ? 'passed' : 'failed']++
  if (!passed) console.log(`${title}: FAILED`)
}

const tool = (path, ...args) => run(newNode(), [join(root, 'node_modules', path), ...args])

const vitest = async (title, projects, chromium) => {
  console.log(`\n== ${title}`)
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tally-'))
  const TALLY = join(folder, 'tally.json')
  const reporters = ['default', './tools/tally.mjs', './tools/fault-table.mjs'].map((r) => `--reporter=${r}`)
  const args = ['run', '--passWithNoTests', ...reporters, ...projects.map((p) => `--project=${p}`)]
  const env = { ...process.env, TALLY, CHROMIUM: chromium ?? '' }
  const code = await run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env })
  try {
    const tally = JSON.parse(readFileSync(TALLY, 'utf8'))
    total.passed += tally.passed
    // Vitest can fail as a whole, such as by a handle left open, with every test passed.
    total.failed += tally.failed || (code === 0 ? 0 : 1)
    total.skipped.push(...tally.skipped)
  } catch {
    console.log(`${title}: the run ended without a result.`)
    total.failed++
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

main(async () => {
  await install()
  const chromium = findChromium()
  if (!chromium) console.log('There is no Chromium here and none could be installed: the browser journeys are skipped.')
  await check('Format and lint', () => tool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'))
  await check('Types', () => tool('typescript/bin/tsc', '--noEmit'))
  await check('Build of the console', buildConsole)
  await vitest('Tests', ['plain', 'server'], chromium)
  await vitest('Browser journeys', ['journeys'], chromium)
  if (total.skipped.length) {
    console.log('\nSkipped:')
    for (const { name, reason } of total.skipped) console.log(`  ${name}: ${reason}`)
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped`)
  return total.failed ? 1 : 0
})
