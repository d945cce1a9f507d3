// One word for one thing: words that the glossary replaced do not come back.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Language, languages } from './contract/languages.ts'
import { quotedTexts } from './quotedTexts.ts'

const root = import.meta.dirname
const readTable = (path: string): Record<string, string> => JSON.parse(readFileSync(join(root, path), 'utf8'))
const stringsOf = (language: Language) =>
  globSync([`{contract,areas}/**/words/*${language}.json`, `console/**/words.${language}.json`], { cwd: root })
    .flatMap((path) => Object.entries(readTable(path)))
    .map(([key, text]): [string, string] => [key, text.replace(/\{\w+\}/g, '…')])
    // Synonyms are the words that other products use: the palette finds by them and shows none.
    .filter(([key]) => !key.startsWith('palette.also.'))
    // Symbols are named for machines: a motor is one in Spanish, too.
    .filter(([key]) => !key.startsWith('symbol.'))
    .filter(([key]) => !quotedTexts.some((quoted) => quoted.language === language && quoted.key === key))
const replaced: Record<Language, Record<string, string>> = JSON.parse(readFileSync(join(root, 'docs/replaced-words.json'), 'utf8'))

/** Whole words in languages that put spaces between them. */
const contains = (text: string, word: string, language: Language) =>
  language === 'zh' || language === 'ja'
    ? text.includes(word)
    : new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(word)}(?![\\p{L}\\p{N}_])`, 'iu').test(text)

describe.each(languages)('%s', (language) => {
  test('uses the words of the glossary', () => {
    const strings = stringsOf(language)
    expect(strings.length).toBeGreaterThan(2000)
    const found = Object.entries(replaced[language]).flatMap(([word, term]) =>
      strings.filter(([, text]) => contains(text, word, language)).map(([key, text]) => `${key}: “${text}” has “${word}”; write “${term}”`),
    )
    expect(found).toEqual([])
  })
})

/** Calques that give the English away as translated. The trade says active, notify, no longer, in the meantime, again. */
const habits = ['stand', 'stands', 'standing', 'told', 'tell', 'any more', 'meanwhile', 'anew']

test('English has none of its old habits', () => {
  const strings = stringsOf('en')
  expect(habits.flatMap((word) => strings.filter(([, text]) => contains(text, word, 'en')))).toEqual([])
})
