import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import type { Cell } from '../../contract/cell.ts'
import type { Field } from '../../contract/field.ts'
import { type Language, languages } from '../../contract/languages.ts'
import { type Resource, valueSchema } from '../../contract/resource.ts'
import { violation } from '../../contract/validators.ts'
import { word } from '../http/words.ts'
import type { Waiting } from '../jobs/boundedQueue.ts'
import { packSheet } from './sheetPacker.ts'

/** Codes of a field with their words: people write the word, programs may write the code. */
const codes = (r: Resource, name: string, f: Field, language: Language): [number | string, string][] => {
  if (f.kind === 'choice') return [...f.of, ...(f.more ?? [])].map((v) => [v, word(language, `${r.name}.${name}.${v}`)])
  if (f.kind === 'flag') return [0, 1].map((v) => [v, word(language, (v === 1) !== Boolean(f.inverted) ? 'flag.yes' : 'flag.no')])
  return []
}
export const headerOf = (r: Resource, name: string, language: Language) => word(language, `${r.name}.${name}`)

/** Sheets of earlier versions still open: their titles and choices, by the key of the word that replaced them. */
const former: Record<string, string[]> = JSON.parse(readFileSync(new URL('former-words.json', import.meta.url), 'utf8'))
const formerCodes = (r: Resource, name: string, f: Field): [number | string, string][] =>
  f.kind === 'choice' ? f.of.flatMap((v) => (former[`${r.name}.${name}.${v}`] ?? []).map((text): [typeof v, string] => [v, text])) : []

/** Every title that a column of a field may have, today's last. */
export const headersOf = (r: Resource, name: string): string[] => [
  ...(former[`${r.name}.${name}`] ?? []),
  ...languages.map((l) => headerOf(r, name, l)),
]

/** Titles and rows of a sheet: a column for each named field, in that order, choices in words. */
export const inWords = (r: Resource, names: readonly string[], language: Language) => {
  const shown = names.map((name) => {
    const known = new Map(codes(r, name, r.fields[name]!, language))
    return (value: unknown) => (known.get(value as number) ?? value) as Cell
  })
  return {
    header: names.map((name) => headerOf(r, name, language)),
    row: (row: Record<string, unknown>): Cell[] => names.map((name, i) => shown[i]!(row[name])),
  }
}

/** Turned into words in one turn of the event loop. */
const pageRows = 500

export const toSheet = (
  r: Resource,
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
  { language, person }: { language: Language; person: Waiting },
) => {
  const { header, row } = inWords(r, names, language)
  const pages = function* () {
    for (let at = 0; at < rows.length; at += pageRows) yield rows.slice(at, at + pageRows).map(row)
  }
  return packSheet(header, pages(), person)
}

export const plain = (text: string) => text.normalize('NFKC').trim().toLowerCase()

/** Maximum number of choices that an error lists. */
const mostNamed = 20

/** A reader for one column: the value, or the rule it breaks. What names another record stays a text. */
export const cellReader = (r: Resource, name: string, language: Language) => {
  const f = r.fields[name]!
  const choices = codes(r, name, f, language)
    .slice(0, mostNamed)
    .map(([, w]) => w)
    .join(', ')
  const known = new Map(
    [...formerCodes(r, name, f), ...languages.flatMap((l) => codes(r, name, f, l))].flatMap(([v, w]) => [
      [plain(w), v],
      [plain(String(v)), v],
    ]),
  )
  // Values that the server alone sets may come back as they left.
  const schema = Compile(valueSchema(f.kind === 'choice' && f.more ? { ...f, of: [...f.of, ...f.more] } : f))
  return (cell: Cell | undefined): { value: unknown } | { rule: string; values?: Record<string, string | number> } => {
    if (cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === ''))
      return f.default !== undefined ? { value: f.default } : f.required === true ? { rule: 'required' } : { value: null }
    const text = cell instanceof Date ? '' : String(cell).trim()
    if (f.kind === 'ref') return text.length > 300 ? { rule: 'maxLength', values: { max: 300 } } : { value: text }
    const isNumber = f.kind === 'number'
    const value = known.size ? known.get(plain(text)) : isNumber ? Number(text.normalize('NFKC')) : text
    if (value === undefined) return { rule: 'fault.cell.choice', values: { value: text.slice(0, 60), choices } }
    if (isNumber && !Number.isFinite(value)) return { rule: 'type' }
    if (schema.Check(value)) {
      const fault = 'validator' in f && f.validator ? violation(f.validator, value) : undefined
      return fault ? { rule: fault.key, values: fault.values } : { value }
    }
    if (f.kind === 'text' || f.kind === 'long')
      return [...text].length > f.max ? { rule: 'maxLength', values: { max: f.max } } : { rule: 'pattern' }
    if (f.kind !== 'number') return { rule: 'type' }
    if (f.min !== undefined && (value as number) < f.min) return { rule: 'min', values: { min: f.min } }
    return f.max !== undefined && (value as number) > f.max
      ? { rule: 'max', values: { max: f.max } }
      : { rule: f.integer ? 'integer' : 'type' }
  }
}
