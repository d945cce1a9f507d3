// Values of cells: from texts, to texts, and what is wrong with them.
import type { Words } from '../../../../../console/words/words.ts'
import type { Field } from '../../../../../contract/field.ts'
import { nameFields } from '../../../../../contract/languages.ts'
import { brokenRules } from '../../../../../contract/rules.ts'
import { point } from '../../contract.ts'
import { faultOf } from '../columns.ts'

export type Values = Record<string, unknown>
/** A standard parameter, by whose names and code a cell finds it. */
export type Standard = { Id: number } & Values
const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
const fieldOf = (name: string): Field => point.fields[name as keyof typeof point.fields] as Field

/** Reads and writes the cells of a column. A text that means nothing stays a text, which `faultsOf` then names. */
export const cellsOf = (t: Words, standards: readonly Standard[]) => {
  const options = (name: string): (readonly [unknown, string])[] => {
    const f = fieldOf(name)
    if (f.kind === 'choice') return f.of.map((value) => [value, t(`point.${name}.${value}`)] as const)
    if (f.kind === 'flag') return [0, 1].map((value) => [value, t((value === 1) !== Boolean(f.inverted) ? 'flag.yes' : 'flag.no')] as const)
    if (f.kind === 'ref') return standards.map((row) => [row.Id, String(row.Code)] as const)
    return []
  }
  const known = new Map<string, { list: (readonly [unknown, string])[]; byText: Map<string, unknown>; byValue: Map<unknown, string> }>()
  const of = (name: string) => {
    const list = known.get(name)?.list ?? options(name)
    const names = (row: Standard) => [...Object.values(nameFields).map((one) => row[one]), ...String(row.Aliases ?? '').split('|')]
    const others =
      fieldOf(name).kind === 'ref' ? standards.flatMap((row) => names(row).map((one) => [plain(String(one ?? '')), row.Id] as const)) : []
    const made = known.get(name) ?? {
      list,
      byText: new Map<string, unknown>([
        ...others,
        ...(fieldOf(name).kind === 'ref' ? [] : list.map(([value]) => [String(value), value] as const)),
        ...list.map(([value, text]) => [plain(text), value] as const),
      ]),
      byValue: new Map(list),
    }
    known.set(name, made)
    return made
  }
  return {
    options: (name: string) => of(name).list,
    text: (name: string, value: unknown): string => {
      if (value === null || value === undefined) return ''
      return of(name).byValue.get(value) ?? String(value)
    },
    read: (name: string, text: string): unknown => {
      const trimmed = text.trim()
      const f = fieldOf(name)
      if (trimmed === '') return f.required && f.default !== undefined ? f.default : null
      if (f.kind === 'number') {
        const number = Number(trimmed.normalize('NFKC').replace(/^(-?\d+),(\d+)$/, '$1.$2'))
        return Number.isFinite(number) ? number : trimmed
      }
      return of(name).list.length ? (of(name).byText.get(plain(trimmed)) ?? trimmed) : trimmed
    },
  }
}
export type Cells = ReturnType<typeof cellsOf>

/** A value that a cell cannot have, as a key of the words with what it names. */
export type CellFault = { key: string; values?: Record<string, string | number> }

const fieldFault = (name: string, value: unknown): CellFault | undefined => {
  const f = fieldOf(name)
  const isText = typeof value === 'string'
  if (f.kind === 'choice' && value !== null && !f.of.includes(value as never))
    return { key: 'sheet.unknown', values: { value: String(value) } }
  if ((f.kind === 'ref' || f.kind === 'flag') && isText) return { key: 'sheet.unknown', values: { value } }
  if (f.kind === 'text' && isText && [...value].length > f.max) return { key: 'fault.field.maxLength', values: { max: f.max } }
  const key = faultOf(f, value)
  if (!key) return undefined
  return { key, ...(f.kind === 'number' ? { values: { min: f.min ?? '−∞', max: f.max ?? '∞' } } : {}) }
}

/** What is wrong with the changed cells of a row, by field. `isTaken` knows the names of the other rows. */
export const faultsOf = (row: Values, changed: readonly string[], isTaken: (name: string) => boolean): Map<string, CellFault> => {
  const faults = new Map<string, CellFault>()
  for (const { field, rule } of brokenRules(point.rules, row, changed)) faults.set(field, { key: `fault.field.${rule}` })
  for (const name of changed) {
    const fault = fieldFault(name, row[name] ?? null)
    if (fault) faults.set(name, fault)
  }
  if (changed.includes('ParaName') && !faults.has('ParaName') && isTaken(String(row.ParaName)))
    faults.set('ParaName', { key: 'fault.field.taken' })
  return faults
}
