import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'

const reasonOf = (test, result) =>
  result.note ?? (test.options.mode === 'todo' ? 'to be written' : 'see the name of the group it stands in')

/** A journey's set-up waits for the file that walks (tests/journeys/turn.ts): that is not its cost. */
const secondsOf = (module) => {
  const { collectDuration, duration } = module.diagnostic()
  const tests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
  return (collectDuration + (module.project.name === 'journeys' ? Math.min(duration, tests) : duration)) / 1000
}

const firstLine = (error) => (error.message ?? String(error)).split('\n', 1)[0].slice(0, 200)

/** Totals of a file. `strays`: errors thrown outside of a test while it ran. */
const sumOf = (module, strays) => {
  const sum = { file: module.relativeModuleId, seconds: secondsOf(module), passed: 0, failed: 0, skipped: [], why: [] }
  const fail = (name, errors) => {
    sum.failed++
    sum.why.push(`${sum.file}${name}: ${errors.map(firstLine).join('; ')}`)
  }
  // A file or a group whose set-up threw has no failed test of its own.
  for (const error of module.errors()) fail('', [error])
  for (const suite of module.children.allSuites()) for (const error of suite.errors()) fail(` > ${suite.fullName}`, [error])
  for (const error of strays) fail(' (outside of a test)', [error])
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'skipped') sum.skipped.push({ name: `${sum.file} > ${test.fullName}`, reason: reasonOf(test, result) })
    else if (result.state === 'passed') sum.passed++
    else fail(` > ${test.fullName}`, result.errors ?? [])
  }
  return sum
}

/** A Vitest reporter that leaves the sums and seconds of a run, file by file, in the file that TALLY names. `errors` belong to no file. */
export default class Tally {
  onTestRunEnd(modules, errors) {
    const fileOf = (error) => error.VITEST_TEST_PATH && relative(process.cwd(), error.VITEST_TEST_PATH)
    const files = modules.map((module) =>
      sumOf(
        module,
        errors.filter((error) => fileOf(error) === module.relativeModuleId),
      ),
    )
    const names = new Set(files.map(({ file }) => file))
    const others = errors.filter((error) => !names.has(fileOf(error))).map(firstLine)
    writeFileSync(process.env.TALLY, JSON.stringify({ files, errors: others }))
  }
}
