import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { newNode, root, run } from './node.mjs'

/**
 * Gets a quarter of a processor's time where what runs beside it wants all of it (Linux' weights); with much less, statements end at the
 * limits of the product.
 */
const behind = (child) => setPriority(child.pid, 5)

/** Runs tests; the sums of each file, and whether Vitest itself was content. */
const runVitest = async ({ projects, files = [], isBehind = false, workers }, chromium) => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-tally-'))
  const TALLY = join(folder, 'tally.json')
  const reporters = ['default', './tools/tally.mjs', './tools/fault-table.mjs'].map((r) => `--reporter=${r}`)
  const limit = workers ? [`--maxWorkers=${workers}`] : []
  const args = ['run', '--passWithNoTests', ...limit, ...reporters, ...projects.map((p) => `--project=${p}`), ...files]
  // Two write to one terminal: each line stays where it is, as in CI.
  const env = { CI: 'true', ...process.env, TALLY, CHROMIUM: chromium ?? '' }
  const code = await run(newNode(), [join(root, 'node_modules/vitest/vitest.mjs'), ...args], { env }, isBehind ? behind : undefined)
  try {
    return { ...JSON.parse(readFileSync(TALLY, 'utf8')), code }
  } catch {
    console.log('The run ended without a result.')
    return { files: [], errors: ['no result'], code }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** So few files may be tried again, docs/decisions/008. */
const mostTriedAgain = 12

/** Runs parts of the tests beside each other and adds to what a whole run has come to; few failed files run once more, alone. */
export const vitest = async (total, parts, chromium) => {
  const firsts = await Promise.all(parts.map((part) => runVitest(part, chromium)))
  const failed = firsts.map(({ files }) => files.filter((f) => f.failed).map((f) => f.file))
  const areFew = failed.flat().length <= mostTriedAgain
  for (const [i, first] of firsts.entries()) {
    let { files, errors, code } = first
    const again = failed[i]
    const partOf = parts[i].projects.join(', ')
    total.why.push(...files.flatMap(({ why }) => why), ...errors.map((error) => `${partOf}: ${error}`))
    if (!errors.length && areFew && again.length) {
      console.log(`\n== Tried again alone: ${again.join(', ')}`)
      const second = await runVitest({ projects: parts[i].projects, files: again }, chromium)
      files = [...files.filter((f) => !f.failed), ...second.files]
      ;({ errors, code } = second)
      total.again.push(...again)
    }
    for (const file of files) {
      total.seconds[file.file] = file.seconds
      total.passed += file.passed
      total.failed += file.failed
      total.skipped.push(...file.skipped)
    }
    // Vitest can fail as a whole, such as by a handle left open, with every test passed.
    const broken = errors.length || (code !== 0 && !files.some((f) => f.failed) ? 1 : 0)
    total.failed += broken
    if (broken) total.broken.push(`${partOf} (${files.length} files ran)`)
  }
}
