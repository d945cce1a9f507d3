import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstLanguage, type Language } from '../../contract/languages.ts'
import { pluralKey } from '../../contract/plural.ts'
import { withShared } from '../../contract/shared-words.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Files of words by language, found in one walk. */
const files = Map.groupBy(globSync(['contract/words/*.json', 'areas/*/*/words/*.json'], { cwd: root }), (file) =>
  file.replace(/^.*?(\w+)\.json$/, '$1'),
)
const tables = new Map<Language, ReadonlyMap<string, string>>()
/** The words of one language, of the contract and of all areas. Read when first needed: tests and many processes need one language. */
const tableOf = (language: Language): ReadonlyMap<string, string> => {
  const known = tables.get(language)
  if (known) return known
  const all = (files.get(language) ?? []).map((file) => JSON.parse(readFileSync(join(root, file), 'utf8')))
  const table = new Map(Object.entries(withShared(Object.assign({}, ...all))))
  tables.set(language, table)
  return table
}

/** A word in a language, `{name}` filled in and in the form that fits its count; a missing word shows its key. */
export const word = (language: Language, key: string, values: Record<string, string | number> = {}) => {
  const table = tableOf(language)
  const text = table.get(key) ?? table.get(pluralKey(language, key, values, (k) => table.has(k))) ?? key
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))
}

export const hasWord = (key: string) => tableOf('en').has(key) || tableOf('en').has(`${key}_other`)

/** The first of ours that an Accept-Language header asks for; Chinese when it asks for none of them (specification, section 1). */
export const preferred = (header: string | undefined): Language => {
  const asked = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', q] = part.trim().split(';q=')
      return { tag, q: q === undefined ? 1 : Number(q) || 0 }
    })
    .sort((a, b) => b.q - a.q)
  return firstLanguage(...asked.map((a) => a.tag))
}
