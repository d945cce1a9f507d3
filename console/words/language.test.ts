import { beforeEach, expect, it, vi } from 'vitest'

const kept = vi.hoisted(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  })
  return kept
})

import { applyLanguage, language, rememberLanguage, startWords } from './words.ts'

const browser = (...languages: string[]) => vi.stubGlobal('navigator', { languages })
const remembered = { account: 'penstock.accountLanguage', chosen: 'penstock.language', company: 'penstock.companyLanguage' }
const remember = (given: Partial<Record<keyof typeof remembered, string>>) => {
  for (const [of, language] of Object.entries(given)) kept.set(remembered[of as keyof typeof remembered], language)
}
beforeEach(() => kept.clear())

// Ruling 51: account, choice in this browser, company of the link, languages of the browser, Chinese.
it.each([
  [{ account: 'ja', chosen: 'es', company: 'en' }, ['zh'], 'ja'],
  [{ chosen: 'es', company: 'en' }, ['zh'], 'es'],
  [{ company: 'en' }, ['zh'], 'en'],
  [{}, ['es-MX', 'en'], 'es'],
  [{}, ['fr-FR', 'fr', 'ja-JP', 'en'], 'ja'],
  [{}, ['zh-TW', 'en'], 'zh'],
  [{}, ['fr', 'de'], 'zh'],
  [{}, [], 'zh'],
  [{ account: 'xx', chosen: '', company: 'fr' }, ['en-GB'], 'en'],
] as const)('with %j in a browser of %j the console speaks %s', async (given, languages, expected) => {
  browser(...languages)
  remember(given)
  await startWords()
  expect(language()).toBe(expected)
})

it('defaults are not stored', async () => {
  browser('es')
  await startWords()
  await applyLanguage('ja')
  expect([language(), [...kept]]).toEqual(['ja', []])
})

it('clearing a preference falls back to the next one', async () => {
  browser('es')
  remember({ chosen: 'en' })
  await rememberLanguage('account', 'ja')
  expect(language()).toBe('ja')
  await rememberLanguage('account', null)
  expect(language()).toBe('en')
  await rememberLanguage('chosen', null)
  expect([language(), kept.size]).toEqual(['es', 0])
})

it('an equal preference changes nothing', async () => {
  browser('es')
  remember({ account: 'ja' })
  await startWords()
  await applyLanguage('en')
  await rememberLanguage('account', 'ja')
  expect(language()).toBe('en')
})

it('the last of two concurrent changes wins, however long its words take to load', async () => {
  browser('zh')
  await Promise.all([applyLanguage('es'), applyLanguage('ja'), applyLanguage('en')])
  expect(language()).toBe('en')
})
