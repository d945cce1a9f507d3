import { writeFileSync } from 'node:fs'

const reasonOf = (test, result) =>
  result.note ?? (test.options.mode === 'todo' ? 'to be written' : 'see the name of the group it stands in')

/** A journey's set-up waits for the file that walks (tests/journeys/turn.ts): that is not its cost. */
const secondsOf = (module) => {
  const { collectDuration, duration } = module.diagnostic()
  const tests = [...module.children.allTests()].reduce((sum, test) => sum + (test.diagnostic()?.duration ?? 0), 0)
  return (collectDuration + (module.project.name === 'journeys' ? Math.min(duration, tests) : duration)) / 1000
}

const sumOf = (module) => {
  // A file or a group whose set-up threw has no failed test of its own.
  const sum = { file: module.relativeModuleId, seconds: secondsOf(module), passed: 0, failed: module.errors().length, skipped: [] }
  for (const suite of module.children.allSuites()) sum.failed += suite.errors().length
  for (const test of module.children.allTests()) {
    const result = test.result()
    if (result.state === 'skipped') sum.skipped.push({ name: `${sum.file} > ${test.fullName}`, reason: reasonOf(test, result) })
    else sum[result.state === 'passed' ? 'passed' : 'failed']++
  }
  return sum
}

/** A Vitest reporter that leaves the sums and seconds of a run, file by file, in the file that TALLY names. `errors` belong to no file. */
export default class Tally {
  onTestRunEnd(modules, errors) {
    writeFileSync(process.env.TALLY, JSON.stringify({ files: modules.map(sumOf), errors: errors.length }))
  }
}
