// Cell values: parsed from text, formatted as text, and checked.
import type { Words } from '../../../../../console/words/words.ts'
import type { Field } from '../../../../../contract/field.ts'
import { nameFields } from '../../../../../contract/languages.ts'
import { pointColumns } from '../../../../../contract/point-fields.ts'
import { columnSynonyms, withoutUnit } from '../../../../../contract/point-titles.ts'
import type { Resource } from '../../../../../contract/resource.ts'
import { brokenRules } from '../../../../../contract/rules.ts'
import { faultOf, usualColumns } from '../columns.ts'

export type Values = Record<string, unknown>
/** A standard parameter, which a cell finds by its names and code. */
export type Standard = { Id: number } & Values
const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()
const fieldIn = ({ fields }: Resource, name: string): Field => fields[name]!

/** The columns of a spreadsheet: identifying ones, then those of points, all or the default ones. */
export const columnsOf = ({ fields }: Resource, isWide: boolean) => {
  const first = ['ParaName', 'ParaKey', 'StandardParaId'].filter((name) => name in fields)
  const own = ['SlaveNumber', 'Sort'].filter((name) => 'ParaKey' in fields && name in fields && !(isWide && pointColumns.includes(name)))
  return [...first, ...(isWide ? pointColumns : usualColumns).filter((name) => !first.includes(name)), ...own]
}

/** Finds the field of a title: our title, or that of other programs. */
const titlesOf = (r: Resource, t: Words) => {
  const names = columnsOf(r, true)
  const known = new Map(
    [
      ...names.flatMap((name) => (columnSynonyms[name] ?? []).map((title) => [title, name] as const)),
      ...names.flatMap((name) => [name, t(`${r.name}.${name}`)].map((title) => [title, name] as const)),
    ].map(([title, name]) => [plain(title), name]),
  )
  return (title: string) => known.get(plain(title)) ?? known.get(plain(withoutUnit(title)))
}

/** Parses and formats the cells of a column. An invalid text stays a text, which `faultsOf` reports. */
export const cellsOf = (r: Resource, t: Words, standards: readonly Standard[]) => {
  const fieldOf = (name: string) => fieldIn(r, name)
  const options = (name: string): (readonly [unknown, string])[] => {
    const f = fieldOf(name)
    if (f.kind === 'choice') return f.of.map((value) => [value, t(`${r.name}.${name}.${value}`)] as const)
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
    fieldOf: titlesOf(r, t),
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

/** The error of a cell: a key of the words and its values. */
export type CellFault = { key: string; values?: Record<string, string | number> }

const fieldFault = (f: Field, value: unknown): CellFault | undefined => {
  const isText = typeof value === 'string'
  if (f.kind === 'choice' && value !== null && !f.of.includes(value as never))
    return { key: 'sheet.unknown', values: { value: String(value) } }
  if ((f.kind === 'ref' || f.kind === 'flag') && isText) return { key: 'sheet.unknown', values: { value } }
  if (f.kind === 'text' && isText && [...value].length > f.max) return { key: 'fault.field.maxLength', values: { max: f.max } }
  const key = faultOf(f, value)
  if (!key) return undefined
  return { key, ...(f.kind === 'number' ? { values: { min: f.min ?? '−∞', max: f.max ?? '∞' } } : {}) }
}

type IsTaken = (field: string, value: string) => boolean
/** The errors of a row's changed cells, by field. `isTaken` knows the unique values of the other rows. */
export const faultsOf = (r: Resource, row: Values, changed: readonly string[], isTaken: IsTaken): Map<string, CellFault> => {
  const faults = new Map<string, CellFault>()
  for (const { field, rule } of brokenRules(r.rules, row, changed)) faults.set(field, { key: `fault.field.${rule}` })
  for (const name of changed) {
    const fault = fieldFault(fieldIn(r, name), row[name] ?? null)
    if (fault) faults.set(name, fault)
  }
  for (const name of changed) {
    const value = row[name]
    if (r.fields[name]!.unique && value != null && !faults.has(name) && isTaken(name, String(value)))
      faults.set(name, { key: 'fault.field.taken' })
  }
  return faults
}
