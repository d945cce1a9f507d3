import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const languages = ['en', 'zh', 'es', 'ja'] as const
const wordsOf = (language: string) =>
  Object.assign(
    {},
    ...globSync(
      [
        `console/*/words.${language}.json`,
        `console/kernel/*/words.${language}.json`,
        `areas/*/*/words/${language}.json`,
        `contract/words/*.${language}.json`,
      ],
      { cwd: root },
    ).map((file) => JSON.parse(readFileSync(join(root, file), 'utf8'))),
  ) as Record<string, string>
const english = wordsOf('en')

const read = (...globs: string[]) =>
  globSync(globs, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.*'] }).map(
    (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
  )
const sources = read('console/**/*.{ts,tsx}', 'areas/*/*/console/**/*.{ts,tsx}')
const places = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('the words of the console', () => {
  it.each(languages)('are complete in %s', (language) => {
    expect(Object.keys(wordsOf(language)).sort()).toEqual(Object.keys(english).sort())
  })

  it.each(languages)('fill in the same values in %s', (language) => {
    const words = wordsOf(language)
    const different = Object.keys(english).filter((key) => places(english[key]!).join() !== places(words[key] ?? '').join())
    expect(different).toEqual([])
  })

  it('exist for every key that a screen names', () => {
    const named = sources.flatMap(([file, text]) =>
      [...text.matchAll(/\b(?:t|words)\(\s*(?:[\w.!&| ]+\?\s*)?'([\w.]+)'(?:\s*:\s*'([\w.]+)')?/g)].flatMap(([, a, b]) =>
        [a, b].filter((key) => key !== undefined && key.length > 0).map((key) => ({ file, key: key! })),
      ),
    )
    expect(named.length).toBeGreaterThan(150)
    expect(named.filter(({ key }) => !(key in english))).toEqual([])
  })

  it('are all used', () => {
    const all = [...sources, ...read('{contract,server,main}/**/*.ts', 'areas/**/*.ts')].map(([, text]) => text).join('\n')
    // Words that follow from what the contract lists: words.test.ts.
    const listed = /^(section|menu|button|fault|result|rejection)\./
    const fieldOf = (key: string) => {
      const [record, field] = key.split('.')
      return /^[A-Z]/.test(field ?? '') && all.includes(`'${record}'`) && new RegExp(`\\b${field}\\b`).test(all)
    }
    // Keys that are put together: the fixed beginning must stand in a screen.
    const used = (key: string) =>
      all.includes(`'${key}'`) || key.split('.').some((_, at, parts) => at > 0 && all.includes(`\`${parts.slice(0, at).join('.')}.$`))
    expect(Object.keys(english).filter((key) => !listed.test(key) && !fieldOf(key) && !used(key))).toEqual([])
  })
})
