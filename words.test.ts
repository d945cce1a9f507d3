// A word that is missing in one language fails here, not in front of a customer.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { faults } from './contract/areas/faults.ts'
import { gatewayTypes, resultCodes } from './contract/areas/gateways.ts'
import { type Menu, menus } from './contract/areas/menus.ts'
import { rejections } from './contract/areas/telemetry.ts'
import { languages, resources } from './contract/index.ts'

const root = import.meta.dirname
type Table = Record<string, string>
const read = (file: string): Table => JSON.parse(readFileSync(join(root, file), 'utf8'))
const english = ['contract', 'console'].flatMap((folder) =>
  (readdirSync(join(root, folder), { recursive: true }) as string[])
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /(^|[./])words\.en\.json$/.test(path) && !/node_modules|\/dist\//.test(path)),
)
const placeholders = (word: string) => [...word.matchAll(/\{(\w+)\}/g)].map((m) => m[1]).sort()

describe.each(english)('%s', (file) => {
  const source = read(file)
  const others = languages.filter((language) => language !== 'en')

  test.each(others)('has the same words with the same blanks in %s', (language) => {
    const path = file.replace('words.en.json', `words.${language}.json`)
    expect(existsSync(join(root, path)), `${path} is missing`).toBe(true)
    const table = read(path)
    expect(Object.keys(table).sort()).toEqual(Object.keys(source).sort())
    const wrong = Object.keys(source).filter((key) => `${placeholders(table[key]!)}` !== `${placeholders(source[key]!)}`)
    expect(wrong).toEqual([])
  })

  test('leaves no word empty', () => {
    for (const language of languages) {
      const table = read(file.replace('words.en.json', `words.${language}.json`))
      expect(Object.keys(table).filter((key) => !table[key]?.trim())).toEqual([])
    }
  })
})

const contract: Table = Object.assign({}, ...english.filter((file) => file.startsWith('contract/')).map(read))
const missing = (keys: string[]) => keys.filter((key) => !(key in contract))

test('no word of the contract is given twice', () => {
  const keys = english.filter((file) => file.startsWith('contract/')).flatMap((file) => Object.keys(read(file)))
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
})

test('every resource, field, section and choice has a word', () => {
  const keys = resources.flatMap((r) => [
    r.name,
    ...Object.entries(r.fields).flatMap(([name, field]) => [
      `${r.name}.${name}`,
      ...(field.section ? [`section.${field.section}`] : []),
      ...(field.kind === 'choice' ? field.of.map((value) => `${r.name}.${name}.${value}`) : []),
    ]),
  ])
  expect(keys.length).toBeGreaterThan(100)
  expect(missing(keys)).toEqual([])
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
  const used = (readdirSync(join(root, 'server'), { recursive: true }) as string[])
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('node_modules'))
    .flatMap((path) => [...readFileSync(join(root, 'server', path), 'utf8').matchAll(/\brule: '(\w+)'/g)].map((m) => m[1]!))
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
