// A word that is missing in one language fails here, not in front of a customer.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { gatewayTypes, resultCodes } from './areas/configuration/gateways/contract.ts'
import { linkTables, resources, settings } from './areas/index.ts'
import { faults } from './contract/faults.ts'
import { type Language, languages } from './contract/languages.ts'
import { linkField } from './contract/links.ts'
import { type Menu, menus } from './contract/menus.ts'
import { pluralForms } from './contract/plural.ts'
import { withShared } from './contract/shared-words.ts'
import { rejections } from './contract/telemetry.ts'

const root = import.meta.dirname
type Table = Record<string, string>
const read = (file: string): Table => JSON.parse(readFileSync(join(root, file), 'utf8'))
const wordFiles = (...places: string[]) => globSync(places, { cwd: root }).map((path) => path.replaceAll('\\', '/'))
const ofContract = wordFiles('contract/words/*.en.json', 'areas/*/*/words/en.json')
const ofConsole = (language: string) => wordFiles(`console/*/words.${language}.json`, `console/kernel/*/words.${language}.json`)
const english = [...ofContract, ...ofConsole('en')]
const inLanguage = (file: string, language: string) => file.replace(/\ben\.json$/, `${language}.json`)
const placeholders = (word: string) => [...word.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort()
const withoutForm = (key: string) => key.replace(/_(one|other)$/, '')
const unique = (keys: string[]) => [...new Set(keys)].sort()
/** The keys that a language needs for those of English: each with the plural forms of that language. */
const keysIn = (keys: string[], language: Language) =>
  unique(keys.flatMap((key) => (/_(one|other)$/.test(key) ? pluralForms[language].map((form) => `${withoutForm(key)}_${form}`) : [key])))

describe.each(english)('%s', (file) => {
  const source = read(file)
  const others = languages.filter((language) => language !== 'en')

  test.each(others)('has the same words with the same blanks in %s', (language) => {
    const path = inLanguage(file, language)
    expect(existsSync(join(root, path)), `${path} is missing`).toBe(true)
    const table = read(path)
    expect(Object.keys(table).sort()).toEqual(keysIn(Object.keys(source), language))
    // A form for one may leave its count out.
    const blanks = (words: Table, key: string) => `${placeholders(words[key] ?? words[`${withoutForm(key)}_other`]!)}`
    const wrong = Object.keys(source).filter((key) => !key.endsWith('_one') && blanks(table, key) !== blanks(source, key))
    expect(wrong).toEqual([])
  })

  test('has the plural forms of English', () => {
    expect(Object.keys(source).sort()).toEqual(keysIn(Object.keys(source), 'en'))
  })

  test('leaves no word empty', () => {
    for (const language of languages) {
      const table = read(inLanguage(file, language))
      expect(Object.keys(table).filter((key) => !table[key]?.trim())).toEqual([])
    }
  })
})

test.each(languages)('no file of words is there in %s alone', (language) => {
  const files = [...wordFiles(`contract/words/*.${language}.json`, `areas/*/*/words/${language}.json`), ...ofConsole(language)]
  expect(files.sort()).toEqual(english.map((file) => inLanguage(file, language)).sort())
})

const contract = withShared(Object.assign({}, ...ofContract.map(read)))
const missing = (keys: string[]) => keys.filter((key) => !(key in contract) && !(`${key}_other` in contract))

test('no word of the contract is given twice', () => {
  const keys = english.flatMap((file) => Object.keys(read(file)))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

test('every resource, setting, field, section and choice has a word', () => {
  const keys = [...resources, ...settings].flatMap((r) => [
    r.name,
    ...Object.entries(r.fields).flatMap(([name, field]) => [
      `${r.name}.${name}`,
      ...(field.section ? [`section.${field.section}`] : []),
      ...(field.kind === 'choice' ? field.of.map((value) => `${r.name}.${name}.${value}`) : []),
    ]),
  ])
  keys.push(...resources.map((r) => `many.${r.name}`))
  keys.push(...settings.flatMap((s) => Object.keys(s.secrets).map((secret) => `${s.name}.${secret}`)))
  expect(keys.length).toBeGreaterThan(100)
  expect(missing(keys)).toEqual([])
})

test('every resource that the kernel shows says what an empty list means, what goes with a row, and who may see it', () => {
  const shown = resources.filter((r) => r.columns)
  expect(missing(shown.flatMap((r) => [`empty.${r.name}`, `remove.${r.name}`]))).toEqual([])
  const migrations = globSync('server/database/migrations/*.sql', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  // Roles that are there already get the code by a migration; new ones by server/identity/setup.ts.
  const given = (code: string) => migrations.some((sql) => /"MenuCodes"/.test(sql) && new RegExp(`\\b${code}\\b`).test(sql))
  expect(shown.filter((r) => !given(r.permission)).map((r) => r.name)).toEqual([])
})

test('every table of links has a label in the form of its record', () => {
  expect(missing(linkTables.map(({ from, to }) => `${from.name}.${linkField(to)}s`))).toEqual([])
})

test('every act has a name, and one that asks first says what happens', () => {
  const acts = resources.flatMap((r) => Object.entries(r.acts ?? {}).map(([name, act]) => ({ of: `${r.name}.${name}`, act })))
  expect(acts.length).toBeGreaterThan(10)
  expect(missing(acts.map(({ of }) => `act.${of}`))).toEqual([])
  expect(missing(acts.filter(({ act }) => act.asks || act.danger).flatMap(({ of }) => [`ask.${of}`, `ask.${of}.text`]))).toEqual([])
  const fields = resources.flatMap((r) =>
    Object.values(r.acts ?? {}).flatMap(({ fields = {} }) => Object.keys(fields).map((f) => `${r.name}.${f}`)),
  )
  expect(missing(fields)).toEqual([])
})

test('every menu and button has a word', () => {
  const keysOf = (menu: Menu): string[] => [
    `menu.${menu.code}`,
    ...(menu.buttons ?? []).map((button) => `button.${button}`),
    ...(menu.children ?? []).flatMap(keysOf),
  ]
  expect(missing(menus.flatMap(keysOf))).toEqual([])
})

test('every fault, and every rule of a field, has words that say what to do', () => {
  const used = globSync(['server/**/*.ts', 'areas/*/*/server/**/*.ts'], { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => [...readFileSync(join(root, path), 'utf8').matchAll(/\brule: '(\w+)'/g)].map((m) => m[1]!))
  expect(used.length).toBeGreaterThan(3)
  const rules = [
    ...used,
    'required',
    'type',
    'min',
    'max',
    'maxLength',
    'pattern',
    'choice',
    'taken',
    'unknownReference',
    'integer',
    'ip',
    'port',
    ...resources.flatMap((r) => [...(r.rules ?? []), ...(r.warnings ?? [])].map((rule) => rule.name)),
  ]
  expect(missing([...Object.keys(faults).map((key) => `fault.${key}`), ...rules.map((rule) => `fault.field.${rule}`)])).toEqual([])
})

test('every gateway model, result code and reason of rejection has words', () => {
  const keys = [
    ...gatewayTypes.map((type) => `gateway.GatewayTypeId.${type}`),
    ...resultCodes.map((code) => `result.${code}`),
    ...rejections.map((reason) => `rejection.${reason}`),
  ]
  expect(missing(keys)).toEqual([])
})

const everything = withShared(Object.assign({}, ...english.map(read)))
const readSources = (...globs: string[]) =>
  globSync(globs, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/*.test.*'] }).map(
    (file) => [file, readFileSync(join(root, file), 'utf8')] as const,
  )
const sources = readSources('console/**/*.{ts,tsx}', 'areas/*/*/console/**/*.{ts,tsx}')

test('every key that a screen names has words', () => {
  const named = sources.flatMap(([file, text]) =>
    [...text.matchAll(/\b(?:t|words)\(\s*(?:[\w.!&| ]+\?\s*)?'([\w.]+)'(?:\s*:\s*'([\w.]+)')?/g)].flatMap(([, a, b]) =>
      [a, b].filter((key) => key !== undefined && key.length > 0).map((key) => ({ file, key: key! })),
    ),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ key }) => !(key in everything) && !(`${key}_other` in everything))).toEqual([])
})

test('every word is used', () => {
  const all = [...sources, ...readSources('{contract,server,main}/**/*.ts', 'areas/**/*.ts')].map(([, text]) => text).join('\n')
  const found = (pattern: RegExp) => new Set([...all.matchAll(pattern)].map(([, text]) => text))
  const [quoted, prefixes, names] = [found(/'([\w.-]+)'/g), found(/`([\w.-]+)\.\$/g), found(/(\w+)/g)]
  // Words that follow from what the contract lists: the tests above.
  const listed = /^(section|menu|button|fault|result|rejection)\./
  const fieldOf = (key: string) => {
    const [record, field] = key.split('.')
    return /^[A-Z]/.test(field ?? '') && quoted.has(record) && names.has(field)
  }
  // Composed keys: their fixed prefix must appear in a screen.
  const used = (key: string) =>
    quoted.has(key) || key.split('.').some((_, at, parts) => at > 0 && prefixes.has(parts.slice(0, at).join('.')))
  const keys = unique(english.flatMap((file) => Object.keys(read(file))).map(withoutForm)).filter((key) => !key.endsWith('.*'))
  expect(keys.filter((key) => !listed.test(key) && !fieldOf(key) && !used(key))).toEqual([])
})
