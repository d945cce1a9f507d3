import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { ReportDocument } from '../../blocks.ts'
import { pdfOf } from './pdf.ts'

const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const document: ReportDocument = {
  ...{ Title: 'Day of the basin', Company: 'Riverside', Logo: `data:image/png;base64,${dot}`, TimeZone: 'Europe/Madrid' },
  ...{ Start: Date.UTC(2026, 2, 26, 23), End: Date.UTC(2026, 2, 27, 23), Made: Date.UTC(2026, 2, 28, 5), Coverage: 1, Points: 1 },
  Parts: [{ Is: 'text', Title: '', Text: 'One' }, { Is: 'break' }, { Is: 'text', Title: '', Text: 'Two' }],
}
const hasPdftotext = spawnSync('pdftotext', ['-v']).error === undefined

test('a report has the mark of its company', async () => {
  const has = async (Logo: string | null) =>
    /\/Subtype \/Image/.test((await pdfOf({ ...document, Logo }, 'en', undefined)).toString('latin1'))
  expect([await has(document.Logo), await has(null)]).toEqual([true, false])
})

test('pages have the size of their paper, upright or on their long side', async () => {
  const boxOf = async (of: Pick<ReportDocument, 'Paper' | 'Landscape'>) =>
    /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/
      .exec((await pdfOf({ ...document, ...of }, 'en', undefined)).toString('latin1'))
      ?.slice(1)
      .map((side) => Math.round(Number(side)))
  expect(await boxOf({})).toEqual([595, 842])
  expect(await boxOf({ Paper: 'A3' })).toEqual([842, 1191])
  expect(await boxOf({ Paper: 'A5', Landscape: true })).toEqual([595, 420])
  expect(await boxOf({ Paper: 'Letter' })).toEqual([612, 792])
  expect(await boxOf({ Paper: 'Legal', Landscape: true })).toEqual([1008, 612])
})

test.skipIf(!hasPdftotext)(
  'histograms stand two in a row, each with its point, and say how many are left out (skipped without pdftotext)',
  async () => {
    const spread = (Name: string, Shares: number[], Note = '') => ({ Name, Unit: 'bar', Low: 2, Width: 0.5, Shares, Note })
    const Spreads = [spread('Inlet', [0.25, 0.75]), spread('Outlet', [1]), spread('Bypass', [], 'No readings here.')]
    const part = { ...{ Is: 'histogram' as const, Title: 'Pressures', Spreads }, More: 4 }
    const pdf = await pdfOf({ ...document, Parts: [part] }, 'en', undefined)
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
    expect(text).toMatch(/Pressures\s+Inlet \(bar\) · % of the time +Outlet \(bar\) · % of the time/)
    expect(text).toMatch(/Bypass[\s\S]*No readings here\.[\s\S]*4 more points are left out/)
  },
)

test.skipIf(!hasPdftotext)(
  'each page names the company, the time, its number and the version of the template (skipped without pdftotext)',
  async () => {
    const pagesOf = async (of: ReportDocument) =>
      execFileSync('pdftotext', ['-layout', '-', '-'], { input: await pdfOf(of, 'en', undefined) })
        .toString()
        .split('\f')
        .slice(0, -1)
    const pages = await pagesOf({ ...document, TemplateVersion: 3 })
    expect(pages.map((text) => /\d ?\/ ?\d/.exec(text)?.[0].replaceAll(' ', ''))).toEqual(['1/2', '2/2'])
    for (const text of pages) expect(text).toMatch(/Riverside[\s\S]*Day of the basin · Made 2026-03-28 06:00.*Template version 3/)
    expect((await pagesOf(document)).join()).not.toContain('Template version')
  },
)
