// Texts that the specification quotes stay in the language in which it quotes them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Language } from './contract/languages.ts'
import { quotedTexts } from './quotedTexts.ts'

const root = import.meta.dirname
const tableOf = (language: Language): Record<string, string> =>
  Object.assign(
    {},
    ...globSync([`{contract,areas}/**/words/*${language}.json`, `console/**/words.${language}.json`], { cwd: root }).map((path) =>
      JSON.parse(readFileSync(join(root, path), 'utf8')),
    ),
  )

test.each(quotedTexts)('$language $key says “$quote”', ({ language, key, quote, values = {} }) => {
  const text = tableOf(language)[key]?.replace(/\{(\w+)\}/g, (blank, name) => String(values[name] ?? blank))
  expect(text).toContain(quote)
})
