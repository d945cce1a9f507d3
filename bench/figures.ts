/** One line of the table; `ratio` = value / bare, null where there is no bare limit. */
export type Figure = { figure: string; value: number; unit: string; bare: number | null; ratio: number | null }

export const figure = (name: string, value: number, unit: string, bare: number | null = null): Figure => ({
  figure: name,
  value: round(value),
  unit,
  bare: bare === null ? null : round(bare),
  ratio: bare ? round(value / bare) : null,
})

const round = (n: number) => (Math.abs(n) >= 100 ? Math.round(n) : Number(n.toPrecision(3)))

/** The value below which `part` of all lie; sorts in place. */
export const quantile = (values: number[] | Float64Array, part: number): number => {
  values.sort((a: number, b: number) => a - b)
  return values[Math.min(values.length - 1, Math.floor(values.length * part))] ?? Number.NaN
}

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const shown = (n: number | null) => (n === null ? '' : n.toLocaleString('en', { maximumSignificantDigits: 4 }))

export const printTable = (figures: readonly Figure[]) => {
  const rows = [
    ['figure', 'value', 'unit', 'bare', 'ratio'],
    ...figures.map((f) => [f.figure, shown(f.value), f.unit, shown(f.bare), shown(f.ratio)]),
  ]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)))
  for (const row of rows) console.log(row.map((cell, i) => (i % 2 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join('  '))
}
