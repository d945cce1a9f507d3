import { writeFileSync } from 'node:fs'

const reasonOf = (test, result) =>
  result.note ?? (test.options.mode === 'todo' ? 'to be written' : 'see the name of the group it stands in')

const sumOf = (module) => {
  // A file or a group whose set-up threw has no failed test of its own.
  const { setupDuration, collectDuration, duration } = module.diagnostic()
  const seconds = (setupDuration + collectDuration + duration) / 1000
  const sum = { file: module.relativeModuleId, seconds, passed: 0, failed: module.errors().length, skipped: [] }
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
