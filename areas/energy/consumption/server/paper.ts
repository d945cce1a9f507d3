// Energy reports as PDF.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Language } from '../../../../contract/languages.ts'
import { FieldFaults } from '../../../../server/http/faults.ts'
import type { ReportDocument } from '../../../analysis/reports/blocks.ts'
import { renderReport } from '../../../analysis/reports/server/service.ts'
import type { Matrix } from '../contract.ts'
import type { Span } from './days.ts'
import type { Reading } from './reading.ts'
import { matrixParts } from './reportParts.ts'

/** Temporary folder and CJK font for rendering. Default to those of the machine. */
export type Paper = { folder?: string | undefined; font?: string | undefined }
type Of = { language: Language; title: string; span: Span; paper: Paper }
/** Maximum cells of a PDF, about a hundred pages. */
const mostCells = 15_000

export const pdfOfMatrix = async (reading: Reading, matrix: Matrix, { language, title, span, paper }: Of): Promise<Buffer> => {
  const { db, deriving, enterprise, zone, currency, seesCost } = reading
  if (matrix.Rows.length * matrix.Columns.length > mostCells) throw new FieldFaults([{ field: 'DateTo', rule: 'fault.rangeTooLong' }])
  const [company] = await db.rows<{ Name: string; Logo: string | null }>(
    sql`select "Name", "Logo" from enterprise where "Id" = ${enterprise}`,
  )
  const known = matrix.Sums.map(({ Total }) => Total.Known / 100)
  const document: ReportDocument = {
    ...{ Title: title, Company: company?.Name ?? '', Logo: company?.Logo ?? null, TimeZone: zone, Start: span.start, End: span.end },
    ...{ Made: deriving.now, Points: 0, Landscape: true },
    Coverage: known.length ? known.reduce((a, b) => a + b, 0) / known.length : null,
    Parts: [{ Is: 'title', Text: title }, ...matrixParts(matrix, { language, currency, seesCost })],
  }
  const folder = await mkdtemp(join(paper.folder ?? tmpdir(), 'penstock-energy-'))
  try {
    const path = join(folder, 'report.pdf')
    await renderReport({ document, format: 'pdf', language, path, font: paper.font }, new AbortController().signal)
    return await readFile(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
