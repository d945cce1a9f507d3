import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import readXlsx from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { xlsxTable } from './xlsx.ts'

test('rows that a sheet has no room for go on in the next under the same titles; numbers show their decimals and keep all digits', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-xlsx-'))
  try {
    const path = join(folder, 'table.xlsx')
    const columns = [
      { title: 'Point', is: 'text' },
      { title: 'Level', is: 'number', digits: 2 },
    ] as const
    const values = Float64Array.from({ length: 7 }, (_, i) => i + 1 / 3)
    const options = { path, columns, about: [], spans: [{ from: 0, offset: 0 }], offsetTitle: 'UTC offset', ms: false }
    const table = xlsxTable({ ...options, csv: { separator: ',', decimal: '.' } }, 4)
    table.write({ rows: 7, columns: [Array.from(values, (_, i) => `${i}`), values] })
    table.close()
    const sheets = (await readXlsx(path)) as unknown as { data: (string | number)[][] }[]
    expect(sheets.map(({ data }) => data[0])).toEqual(Array(3).fill(['Point', 'Level']))
    expect(sheets.map(({ data }) => data.length)).toEqual([4, 4, 2])
    expect(sheets.flatMap(({ data }) => data.slice(1).map((row) => row[1]))).toEqual([...values])
    const parts = unzipSync(readFileSync(path))
    const text = (name: string) => strFromU8(parts[name]!)
    const style = Number(/<c r="B2" s="(\d+)">/.exec(text('xl/worksheets/sheet1.xml'))?.[1])
    const used = [...text('xl/styles.xml').matchAll(/<xf(?: [^>]*)?\/>/g)].slice(1)[style]![0]
    const format = /numFmtId="(\d+)"/.exec(used)?.[1]
    expect(text('xl/styles.xml')).toContain(`numFmtId="${format}" formatCode="0.00"`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
