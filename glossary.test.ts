// One word for one thing: words that the glossary replaced do not come back.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Language, languages } from './contract/languages.ts'

const root = import.meta.dirname
const readTable = (path: string): Record<string, string> => JSON.parse(readFileSync(join(root, path), 'utf8'))
const stringsOf = (language: Language) =>
  globSync([`{contract,areas}/**/words/*${language}.json`, `console/**/words.${language}.json`], { cwd: root }).flatMap((path) =>
    Object.entries(readTable(path)),
  )
const replaced: Record<Language, Record<string, string>> = JSON.parse(readFileSync(join(root, 'docs/replaced-words.json'), 'utf8'))

/** The specification's own texts stay as quoted. */
const quoted = ['账户未授权菜单访问权限', '请先选择租户']
const withoutQuotes = (text: string) => quoted.reduce((rest, quote) => rest.replaceAll(quote, ''), text)

/** Whole words in languages that put spaces between them. */
const contains = (text: string, word: string, language: Language) =>
  language === 'zh' || language === 'ja'
    ? text.includes(word)
    : new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(word)}(?![\\p{L}\\p{N}])`, 'iu').test(text)

describe.each(languages)('%s', (language) => {
  test('uses the words of the glossary', () => {
    const strings = stringsOf(language)
    expect(strings.length).toBeGreaterThan(2000)
    const found = Object.entries(replaced[language]).flatMap(([word, term]) =>
      strings.filter(([, text]) => contains(withoutQuotes(text), word, language)).map(([key, text]) => ({ key, text, word, term })),
    )
    expect(found).toEqual([])
  })
})
