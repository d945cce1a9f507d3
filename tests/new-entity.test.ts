// The output of `npm run new` is served and safe without changes.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Page } from '../contract/call.ts'
import { choice } from '../contract/field.ts'
import { languages } from '../contract/languages.ts'
import type { Menu } from '../contract/menus.ts'
import { pluralForms } from '../contract/plural.ts'
import { register } from '../contract/registry.ts'
import type { Resource } from '../contract/resource.ts'
import { type Kit, startKit } from '../main/testing/kit.ts'
import { crud } from '../server/resource/crud.ts'
import { newEntity, wordKeys } from '../tools/new-entity.ts'

const ours = join(import.meta.dirname, '..')
const root = mkdtempSync(join(tmpdir(), 'penstock-new-'))
const written = (path: string) => readFileSync(join(root, path), 'utf8')
const migrations = () => readdirSync(join(root, 'server/database/migrations')).sort()
let valve: Resource
let kit: Kit

beforeAll(async () => {
  for (const path of ['contract', 'areas/index.ts', 'server/database/migrations'])
    cpSync(join(ours, path), join(root, path), { recursive: true })
  mkdirSync(join(root, 'areas'), { recursive: true })
  symlinkSync(join(ours, 'node_modules'), join(root, 'node_modules'), 'junction')
  await newEntity(root, 'configuration/valve')
  await newEntity(root, 'configuration/valve')
  valve = ((await import(/* @vite-ignore */ join(root, 'areas/configuration/valve/contract.ts'))) as { valve: Resource }).valve
  register([valve])
  // Its own menu is known to the copy only.
  kit = await startKit({ areas: () => [(api) => crud(api, { ...valve, permission: 'm10103' })] })
  const owner = new pg.Client({ connectionString: kit.adminUrl })
  await owner.connect()
  await owner.query(written(`server/database/migrations/${migrations().at(-1)}`))
  await owner.end()
})
afterAll(async () => {
  await kit?.close()
  rmSync(root, { recursive: true, force: true })
})

it('writes six files and two lines elsewhere, in at most 40 lines without words', async () => {
  const { menus } = (await import(/* @vite-ignore */ join(root, 'contract/menus.ts'))) as { menus: readonly Menu[] }
  expect(menus.find((m) => m.code === 'm101')!.children!.at(-1)).toEqual({
    code: valve.permission,
    path: 'valve',
    buttons: ['add', 'edit', 'remove'],
  })
  expect(written('areas/index.ts')).toContain("import { valve } from './configuration/valve/contract.ts'")
  expect(written('areas/index.ts')).toMatch(/\n {2}valve,\n\]\nregister\(resources\)/)
  for (const language of languages) {
    const words = Object.keys(JSON.parse(written(`areas/configuration/valve/words/${language}.json`)))
    const nouns = pluralForms[language].map((form) => `many.valve_${form}`)
    expect(words).toEqual(['valve', 'valve.ValveName', `menu.${valve.permission}`, 'empty.valve', 'remove.valve', ...nouns])
  }
  const added = migrations().at(-1)!
  expect(migrations()).toHaveLength(readdirSync(join(ours, 'server/database/migrations')).length + 1)
  const code = [written('areas/configuration/valve/contract.ts'), written(`server/database/migrations/${added}`)]
  expect(code.join('').split('\n').length).toBeLessThanOrEqual(40)
})

it('is served: rows are added, listed and filtered, and hidden from other tenants', async () => {
  const made = await kit.data<{ Id: number }>('owner', 'POST', valve.path, { ValveName: 'Inlet' })
  const list = (as: string) => kit.data<Page<{ Id: number }>>(as, 'GET', `${valve.path}/List`)
  expect((await list('owner')).Items.map((row) => row.Id)).toEqual([made.Id])
  expect((await list('stranger')).Items).toEqual([])
  expect(await kit.call('owner', 'POST', valve.path, { ValveName: 'Inlet' })).toMatchObject({
    StatusCode: 409,
    Details: { Fields: { ValveName: [expect.any(String)] } },
  })
  expect(await kit.call('stranger', 'DELETE', valve.path, { Id: made.Id })).toMatchObject({ StatusCode: 404 })
})

it('gives the rights to roles that administer, and writes no second migration', async () => {
  const sql = written(`server/database/migrations/${migrations().at(-1)}`)
  expect(sql).toContain("penstock_tenant_table('valve')")
  expect(sql).toContain(`{${['', '.add', '.edit', '.remove'].map((button) => valve.permission + button).join(',')}}`)
  await expect(newEntity(root, 'configuration/valve')).rejects.toThrow('has a migration already')
  await expect(newEntity(root, 'nowhere/valve')).rejects.toThrow('Unknown wing')
})

it('lists the words for choices, acts and confirmations', () => {
  const Status = choice([0, 1], { default: 0 })
  const acts = { open: { button: 'edit', set: { Status: 1 } }, scrap: { button: 'edit', danger: true as const } }
  const keys = wordKeys({ ...valve, fields: { ...valve.fields, Status }, acts }, 'en')
  expect(keys).toEqual(expect.arrayContaining(['valve.Status', 'valve.Status.0', 'valve.Status.1', 'act.valve.open', 'act.valve.scrap']))
  expect(keys.filter((key) => key.startsWith('ask.'))).toEqual(['ask.valve.scrap', 'ask.valve.scrap.text'])
})

it('writes the migration of a second resource of the area', async () => {
  const contract = written('areas/configuration/valve/contract.ts')
  const second = contract.slice(contract.indexOf('export const')).replaceAll('valve', 'valveType').replaceAll('ValveName', 'TypeName')
  // A separate folder, because a module is loaded once per process.
  mkdirSync(join(root, 'areas/configuration/stem/words'), { recursive: true })
  writeFileSync(join(root, 'areas/configuration/stem/contract.ts'), `${contract}\n${second}`)
  await newEntity(root, 'configuration/stem')
  expect(migrations().at(-1)).toMatch(/_valve_type\.sql$/)
  expect(Object.keys(JSON.parse(written('areas/configuration/stem/words/en.json')))).toContain('valveType.TypeName')
})
