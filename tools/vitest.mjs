import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newNode, root, run } from './node.mjs'

/** Runs the tests of projects, or some of their files; the sums of each file, and whether Vitest itself was content. */
const runVitest = async (projects, chromium, files = []) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tally-'))
  const TALLY = join(folder, 'tally.json')
  const reporters = ['default', './tools/tally.mjs', './tools/fault-table.mjs'].map((r) => `--reporter=${r}`)
  const args = ['run', '--passWithNoTests', ...reporters, ...projects.map((p) => `--project=${p}`), ...files]
  const env = { ...process.env, TALLY, CHROMIUM: chromium ?? '' }
  const code = await run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env })
  try {
    return { ...JSON.parse(readFileSync(TALLY, 'utf8')), code }
  } catch {
    console.log('The run ended without a result.')
    return { files: [], errors: 1, code }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** So few files may be tried again, docs/decisions/008. */
const mostTriedAgain = 3

/** Runs the tests of projects and adds to what a whole run has come to; few failed files run once more. */
export const vitest = async (total, title, projects, chromium) => {
  console.log(`\n== ${title}`)
  const first = await runVitest(projects, chromium)
  const failed = first.files.filter((f) => f.failed).map((f) => f.file)
  let { files, errors, code } = first
  if (!errors && failed.length > 0 && failed.length <= mostTriedAgain) {
    console.log(`\n== ${title}, tried again alone: ${failed.join(', ')}`)
    const second = await runVitest(projects, chromium, failed)
    files = [...files.filter((f) => !f.failed), ...second.files]
    ;({ errors, code } = second)
    total.again.push(...failed)
  }
  for (const file of files) {
    total.passed += file.passed
    total.failed += file.failed
    total.skipped.push(...file.skipped)
  }
  // Vitest can fail as a whole, such as by a handle left open, with every test passed.
  total.failed += errors || (code !== 0 && !files.some((f) => f.failed) ? 1 : 0)
}
