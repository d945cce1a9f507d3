// Punctuation and language of Chinese, Spanish and Japanese texts.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Language } from './contract/languages.ts'

const root = import.meta.dirname
const stringsOf = (language: Language): [string, string][] =>
  globSync([`{contract,areas}/**/words/*${language}.json`, `console/**/words.${language}.json`], { cwd: root }).flatMap((path) =>
    Object.entries<string>(JSON.parse(readFileSync(join(root, path), 'utf8'))),
  )
const [zh, es, ja] = [stringsOf('zh'), stringsOf('es'), stringsOf('ja')]
const matching = (strings: [string, string][], wrong: RegExp) => strings.filter(([, text]) => wrong.test(text))

/** Names of products, protocols and types: the same in every language. */
const names = /^(?:Modbus|Float|Double|OPC UA|Alibaba|Tencent|AccessKey|Webhook|Penstock)\b/

test('every language is read', () => {
  for (const strings of [zh, es, ja]) expect(strings.length).toBeGreaterThan(2000)
})

test('Chinese has full-width punctuation and its own quotation marks', () => {
  expect(matching(zh, /\p{Script=Han}[,;:?!"()]|[,;:?!"()]\p{Script=Han}/u)).toEqual([])
  expect(matching(zh, /\p{Script=Han}\.(?!\p{L})|「|」/u)).toEqual([])
})

test('Japanese has full-width punctuation and kana', () => {
  expect(
    matching(
      ja,
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー][,;:?!"()]|[,;:?!"()][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    ),
  ).toEqual([])
  expect(matching(ja, /[｡-ﾟ〜，]/u)).toEqual([])
})

test('spaces separate Latin words and numbers from Chinese and Japanese', () => {
  const quoted = '最多输入{count}个字符'
  const together =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー][A-Za-z0-9]|[A-Za-z0-9%][\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
  expect(matching([...zh, ...ja], together).filter(([, text]) => text !== quoted)).toEqual([])
})

test('Spanish questions and exclamations are opened', () => {
  const sign = /(?<![=(“««*, ])\?(?=[\s»)]|$)/
  expect(matching(es, sign).filter(([, text]) => !text.includes('¿'))).toEqual([])
  expect(matching(es, /!/).filter(([, text]) => !text.includes('¡'))).toEqual([])
})

describe.each([
  ['zh', zh],
  ['ja', ja],
] as const)('%s', (_, strings) => {
  test('has no sentence left in English', () => {
    const sentences = strings.filter(([, text]) => {
      const words = text.replaceAll(/\{\w+\}/g, '')
      return (
        !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(words) && /[a-z]{2,} [a-z]{2,}/i.test(words) && !names.test(words)
      )
    })
    expect(sentences).toEqual([])
  })
})
