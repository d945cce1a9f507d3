import { readdirSync, readFileSync } from 'node:fs'
import { type Language, languages } from '../../contract/index.ts'

const folder = new URL('../../contract/areas/', import.meta.url)

/** The contract's words of one language, all areas in one flat table. */
const load = (language: Language): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(folder)
      .filter((f) => f.endsWith(`.words.${language}.json`))
      .flatMap((f) => Object.entries(JSON.parse(readFileSync(new URL(f, folder), 'utf8')) as Record<string, string>)),
  )
const tables = new Map(languages.map((l) => [l, load(l)]))

/** A word in a language, `{name}` filled in; a missing word shows its key, and a test sees to it that none is missing. */
export const word = (language: Language, key: string, values: Record<string, string | number> = {}) =>
  (tables.get(language)?.get(key) ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole))

export const hasWord = (key: string) => tables.get('en')!.has(key)

/** The first of ours that an Accept-Language header asks for; Chinese when it asks for none of them (specification, section 1). */
export const preferred = (header: string | undefined): Language => {
  const asked = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', q] = part.trim().split(';q=')
      return { tag: tag.toLowerCase().split('-')[0], q: q === undefined ? 1 : Number(q) || 0 }
    })
    .sort((a, b) => b.q - a.q)
  return languages.find((l) => l === asked.find((a) => languages.includes(a.tag as Language))?.tag) ?? 'zh'
}
