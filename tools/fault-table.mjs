const columns = ['fault', 'rounds', 'sent', 'acked', 'stored', 'lost', 'duplicated', 'torn', 'wrong', 'note']

/** A Vitest reporter that ends a run with the table of its faults: readings acknowledged, stored, lost, duplicated. */
export default class FaultTable {
  onTestRunEnd(modules) {
    const rows = modules.flatMap((module) => [...module.children.allTests()].flatMap((test) => test.meta().faults ?? []))
    if (!rows.length) return
    const lines = [columns, ...rows.map((row) => columns.map((name) => String(row[name])))]
    const widths = columns.map((_, i) => Math.max(...lines.map((line) => line[i].length)))
    const pad = (text, i) => (i && i < columns.length - 1 ? text.padStart(widths[i]) : text.padEnd(widths[i]))
    console.log(`\nFaults, in readings:\n${lines.map((line) => `  ${line.map(pad).join('  ').trimEnd()}`).join('\n')}`)
  }
}
