// Reports as workbooks and as text: real numbers, and charts as tables.
import writeXlsxFile from 'write-excel-file/node'
import type { Cell } from '../../../../../contract/cell.ts'
import { csvLine, csvMark } from '../../../../../contract/csv.ts'
import type { Language } from '../../../../../contract/languages.ts'
import { word } from '../../../../../server/http/words.ts'
import type { Column, Part, ReportCell, ReportDocument } from '../../blocks.ts'
import { momentText } from '../../text.ts'
import { factsOf } from './texts.ts'

type Sheet = { title: string; columns: Column[]; rows: ReportCell[][] }

/** Decimals of the edges of steps of a round width. */
const decimalsOf = (width: number) => String(width).split('.')[1]?.length ?? 0

/** Curves side by side: a row for each moment. */
const sheetOfChart = (part: Extract<Part, { Is: 'chart' }>, language: Language): Sheet => {
  const times = [...new Set(part.Curves.flatMap((c) => c.Time))].sort((a, b) => a - b)
  const known = part.Curves.map(({ Time, Value }) => new Map(Time.map((at, i) => [at, Value[i] ?? null])))
  return {
    title: part.Title,
    columns: [
      { Title: word(language, 'explore.time'), Is: 'time' },
      ...part.Curves.map(({ Name, Unit, Digits }): Column => ({ Title: Unit ? `${Name} (${Unit})` : Name, Is: 'number', Digits })),
    ],
    rows: times.map((at) => [at, ...known.map((of) => of.get(at) ?? null)]),
  }
}

/** One row per step of a point's values. A point without steps has one row with the reason. */
const sheetOfHistogram = ({ Title, Spreads }: Extract<Part, { Is: 'histogram' }>, language: Language): Sheet => {
  const t = (key: string) => word(language, key)
  const digits = Math.max(0, ...Spreads.map(({ Width }) => decimalsOf(Width)))
  return {
    title: Title,
    columns: [
      { Title: t('point'), Is: 'text' },
      { Title: t('history.unit'), Is: 'text' },
      ...['report.stepFrom', 'report.stepTo'].map((key): Column => ({ Title: t(key), Is: 'number', Digits: digits })),
      { Title: t('report.shareOfTime'), Is: 'percent' },
      { Title: t('report.note'), Is: 'text' },
    ],
    rows: Spreads.flatMap(({ Name, Unit, Low, Width, Shares, Note }): ReportCell[][] => {
      const edge = (i: number) => Number((Low + i * Width).toPrecision(12))
      const rows = Shares.map((share, i): ReportCell[] => [Name, Unit, edge(i), edge(i + 1), share, i ? null : Note || null])
      return rows.length ? rows : [[Name, Unit, null, null, null, Note]]
    }),
  }
}

const sheetOf = (part: Part, language: Language): Sheet | undefined => {
  if (part.Is === 'table') return { title: part.Title, columns: part.Columns, rows: part.Rows }
  if (part.Is === 'chart') return sheetOfChart(part, language)
  if (part.Is === 'histogram') return sheetOfHistogram(part, language)
  if (part.Is !== 'figures') return undefined
  const t = (key: string) => word(language, key)
  return {
    title: part.Title,
    columns: [
      { Title: t('point'), Is: 'text' },
      { Title: t('explore.value'), Is: 'number', Digits: Math.max(0, ...part.Figures.map((f) => f.Digits)) },
      { Title: t('history.unit'), Is: 'text' },
      { Title: t('explore.coverageColumn'), Is: 'percent' },
    ],
    rows: part.Figures.map((f) => [f.Name, f.Value, f.Unit, f.Coverage]),
  }
}

const linesOf = (document: ReportDocument, language: Language): string[][] => [
  [document.Title],
  [document.Company],
  ...factsOf(document, language),
  ...document.Parts.flatMap((part) =>
    part.Is === 'text' ? [[''], ...(part.Title ? [[part.Title]] : []), ...part.Text.split('\n').map((line) => [line])] : [],
  ),
]

/** At most 31 characters with a number, none of those that Excel refuses, and no apostrophe at either end. */
const sheetStem = (title: string) =>
  title
    .replace(/[\\/?*[\]:\p{Cc}]+/gu, ' ')
    .replace(/^['\s]+/, '')
    .slice(0, 26)
    .replace(/['\s]+$/, '')
/** Names of sheets, each once. A part without a title continues the one before. */
const sheetNames = (titles: readonly string[]) => {
  const seen = new Set<string>()
  let stem = ''
  return titles.map((title, i) => {
    stem = sheetStem(title) || stem || String(i + 1)
    let name = stem
    for (let n = 2; seen.has(name.toLowerCase()); n++) name = `${stem} ${n}`
    seen.add(name.toLowerCase())
    return name
  })
}

export const xlsxOf = async (document: ReportDocument, language: Language): Promise<Buffer> => {
  const sheets = document.Parts.flatMap((part) => sheetOf(part, language) ?? [])
  const names = sheetNames([document.Title, ...sheets.map(({ title }) => title)])
  const cell = (value: ReportCell, { Is, Digits = 0 }: Column) => {
    if (value === null) return null
    if (typeof value === 'string') return { value }
    if (Is === 'time' || Is === 'day') return { value: momentText(value, document.TimeZone).slice(0, Is === 'day' ? 10 : 16) }
    if (Is === 'percent') return { value, format: '0.0%' }
    // Days, which a spreadsheet shows as hours.
    if (Is === 'duration') return { value: value / 86_400_000, format: '[h]:mm:ss' }
    return { value, format: Digits ? `0.${'0'.repeat(Math.min(10, Digits))}` : '0' }
  }
  const bold = (value: string) => ({ value, fontWeight: 'bold' as const })
  const first = linesOf(document, language).map((line, i) => line.map((value) => (i ? { value } : bold(value))))
  const data = [
    { data: first, sheet: names[0]!, columns: [{ width: 28 }, { width: 50 }] },
    ...sheets.map(({ columns, rows }, i) => ({
      data: [columns.map(({ Title }) => bold(Title)), ...rows.map((row) => row.map((value, k) => cell(value, columns[k]!)))],
      sheet: names[i + 1]!,
      columns: columns.map(({ Title, Is }) => ({ width: Is === 'text' ? 30 : Math.min(34, Math.max(12, [...Title].length * 1.2 + 3)) })),
      stickyRowsCount: 1,
    })),
  ]
  return writeXlsxFile(data as never).toBuffer()
}

export const csvOf = (document: ReportDocument, language: Language): Buffer => {
  const cell = (value: ReportCell, { Is }: Column): Cell =>
    typeof value === 'number' && (Is === 'time' || Is === 'day')
      ? momentText(value, document.TimeZone).slice(0, Is === 'day' ? 10 : 16)
      : value
  const tables = document.Parts.flatMap((part) => sheetOf(part, language) ?? [])
  const lines = [
    ...linesOf(document, language),
    ...tables.flatMap(({ title, columns, rows }): Cell[][] => [
      [],
      [title],
      columns.map(({ Title }) => Title),
      ...rows.map((row) => row.map((value, k) => cell(value, columns[k]!))),
    ]),
  ]
  return Buffer.from(csvMark + lines.map(csvLine).join(''))
}
