import { writeFileSync } from 'node:fs'

const reasonOf = (test, result) =>
  result.note ?? (test.options.mode === 'todo' ? 'to be written' : 'see the name of the group it stands in')

/** A Vitest reporter that leaves the sum of a run, and what was skipped and why, in the file that TALLY names. */
export default class Tally {
  onTestRunEnd(modules, errors) {
    const tally = { passed: 0, failed: errors.length, skipped: [] }
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') tally.passed++
        else if (result.state === 'skipped')
          tally.skipped.push({ name: `${module.relativeModuleId} > ${test.fullName}`, reason: reasonOf(test, result) })
        else tally.failed++
      }
      // A file or a group whose set-up threw has no failed test of its own.
      for (const part of [module, ...module.children.allSuites()]) tally.failed += part.errors().length
    }
    writeFileSync(process.env.TALLY, JSON.stringify(tally))
  }
}
