// Energy reports as document parts, for PDFs and report templates.
import type { Language } from '../../../../contract/languages.ts'
import { headerOf } from '../../../../server/files/sheet.ts'
import { word } from '../../../../server/http/words.ts'
import type { Column, Part, ReportCell } from '../../../analysis/reports/blocks.ts'
import { energyInfo } from '../../circuits/contract.ts'
import type { Matrix } from '../contract.ts'

type Row = Matrix['Rows'][number]
export type Said = { language: Language; currency: string | null; seesCost: boolean }

/** Maximum columns per table on a page. */
const mostColumns = 10
/** Decimals for three significant digits; none from 100 up. */
const digitsOf = (values: readonly (number | null | undefined)[]) => {
  const largest = values.reduce<number>((most, value) => Math.max(most, Math.abs(value ?? 0)), 0)
  return largest >= 100 ? 0 : largest >= 10 ? 1 : 2
}
export const moneyDigits = (currency: string | null) =>
  currency ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2) : 2

export const textColumn = (Title: string): Column => ({ Title, Is: 'text' })
export const amounts = (Title: string, values: readonly (number | null | undefined)[]): Column => ({
  ...{ Title, Is: 'number', Digits: digitsOf(values) },
})
export const costColumn = ({ language, currency }: Said): Column => ({
  Title: `${word(language, 'energy.cost')}${currency ? `, ${currency}` : ''}`,
  ...{ Is: 'number', Digits: moneyDigits(currency) },
})
export const percentColumn = (Title: string): Column => ({ Title, Is: 'percent', Digits: 1 })
export const share = (percent: number | null | undefined) => (percent === null || percent === undefined ? null : percent / 100)
export const nameOf = (name: keyof (typeof energyInfo)['fields'], language: Language) => headerOf(energyInfo, name, language)
export const kindName = (type: number, language: Language) => word(language, `energyInfo.EnergyType.${type}`)
export const levelName = (level: number | string, language: Language) =>
  word(language, Number(level) === 0 ? 'energy.level.0' : `tariff.level.${level}`)
export const tableOf = (Title: string, Columns: Column[], Rows: ReportCell[][]): Part => ({ Is: 'table', Title, Columns, Rows, More: 0 })

const qualities = ['Measured', 'Interpolated', 'Entered', 'Corrected', 'Missing'] as const
/** A report as tables: totals with data quality, then the columns, split across pages. */
export const matrixParts = ({ Columns, Rows, Sums }: Matrix, said: Said): Part[] => {
  const { language, seesCost } = said
  const isLevel = Columns.every(({ Start }) => Start === null)
  const rows: readonly Row[] = [...Rows, ...Sums.map((sum) => ({ ...sum, Name: word(language, 'energy.sum') }))]
  const isLate = rows.some(({ Total }) => Total.Late)
  const [name, unit] = [textColumn(nameOf('EnergyName', language)), textColumn(nameOf('Unit', language))]
  const lateColumn = amounts(
    word(language, 'energy.late'),
    rows.map(({ Total }) => Total.Late),
  )
  const totals = tableOf(
    word(language, 'energy.total'),
    [
      ...[name, textColumn(nameOf('EnergyCode', language)), textColumn(nameOf('EnergyType', language))],
      ...[
        amounts(
          word(language, 'energy.total'),
          rows.map(({ Total }) => Total.Energy),
        ),
        unit,
      ],
      ...(seesCost ? [costColumn(said)] : []),
      percentColumn(word(language, 'energy.known')),
      ...qualities.map((quality) => percentColumn(word(language, `energy.quality.${quality}`))),
      ...(isLate ? [lateColumn] : []),
    ],
    rows.map(({ Name, EnergyCode, EnergyType, Unit, Total }) => [
      ...[Name, EnergyCode ?? '', kindName(EnergyType, language), Total.Energy, Unit],
      ...(seesCost ? [Total.Cost ?? null] : []),
      ...[share(Total.Known), ...qualities.map((quality) => share(Total.Shares?.[quality]))],
      ...(isLate ? [Total.Late ?? null] : []),
    ]),
  )
  const across = Array.from({ length: Math.ceil(Columns.length / mostColumns) }, (_, i) => i * mostColumns)
  const tables = across.map((from) => {
    const some = Columns.slice(from, from + mostColumns)
    const cell = (row: Row, i: number) => row.Cells[from + i]?.Energy ?? null
    const titles = some.map(({ Key }) => (isLevel ? levelName(Key, language) : Key.length > 7 ? Key.slice(5) : Key))
    return tableOf(
      [some[0]!, some.at(-1)!].map(({ Key }) => (isLevel ? levelName(Key, language) : Key)).join(' – '),
      [
        name,
        unit,
        ...titles.map((title, i) =>
          amounts(
            title,
            rows.map((row) => cell(row, i)),
          ),
        ),
      ],
      rows.map((row) => [row.Name, row.Unit, ...some.map((_, i) => cell(row, i))]),
    )
  })
  return [totals, ...tables]
}
