// Bodies with as many wrong entries as fit: work and answer stay small. Forms name all of their wrong fields.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls, resources } from '../../areas/index.ts'
import { FieldFaults } from '../../server/http/faults.ts'
import { serverActor } from '../../server/identity/actor.ts'
import { store } from '../../server/resource/store.ts'
import { type House, startHouse } from '../house.ts'

let house: House
beforeAll(async () => {
  house = await startHouse()
})
afterAll(() => house?.close())

const send = async (path: string, body: unknown, method = 'POST') => {
  const answer = await fetch(`${house.origin}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${house.admin}`, 'content-type': 'application/json', 'accept-language': 'en' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return { size: text.length, ...JSON.parse(text) }
}
const times = <T>(n: number, one: T) => Array.from({ length: n }, () => one)
const fieldsOf = (answer: { Details: { Fields?: object } }) => Object.keys(answer.Details.Fields ?? {})

const bodies: [path: string, of: (count: number) => object][] = [
  ['/System/User/TableViews', (n) => ({ MenuEncoding: 'm1', Views: times(n, {}) })],
  ['/System/User/TableHeader', (n) => ({ MenuEncoding: 'm1', Columns: times(n, 1) })],
  ['/System/Notice/Read', (n) => ({ MsgIds: times(n, 'a') })],
  ['/Alarm/AlarmRule/Try', (n) => ({ RuleConfigure: { LogicSymbol: 1, EnableType: 1, RuleList: times(n, {}) }, Days: 1 })],
  ['/DataCenter/ReportData/Data', (n) => ({ ParaIds: times(n, ''), Start: 0, End: 1 })],
]

it.each(bodies)('%s takes no list of wrong entries apart', async (path, of) => {
  const [small, middle, large] = [await send(path, of(900)), await send(path, of(15_000)), await send(path, of(200_000))]
  // At most 50 fields of a form that a person could have filled in, and one hidden field.
  expect(small).toMatchObject({ StatusCode: 400, Details: { Fault: 'invalid' } })
  expect(fieldsOf(small).length).toBeLessThanOrEqual(50)
  expect(fieldsOf(middle).length).toBeLessThanOrEqual(1)
  expect(fieldsOf(large).length).toBeLessThanOrEqual(1)
  for (const { Details, size } of [small, middle, large]) {
    expect(['invalid', 'tooLarge']).toContain(Details.Fault)
    expect(size).toBeLessThan(10_000)
  }
})

it('a call takes 64 kB, unless what it may hold needs more', async () => {
  const long = 'x'.repeat(100_000)
  expect(await send('/Auth/Login', { UserNO: long, Pwd: 'x' })).toMatchObject({ StatusCode: 413 })
  expect(await send('/System/Notice/Read', { MsgIds: times(50_000, 1) })).toMatchObject({ StatusCode: 413 })
  expect(await send('/Project/Project', { ProjectName: long })).toMatchObject({ StatusCode: 413 })
  expect(await send('/Project/Project', { Ids: times(50_000, 1) }, 'DELETE')).toMatchObject({ StatusCode: 413 })
  const MenuCodes = times(2000, 'm'.repeat(60))
  expect((await send('/System/Role/AuthorizationMenu', { RoleId: 1, MenuCodes })).StatusCode).not.toBe(413)
})

it('a form names all of its wrong fields', async () => {
  const Views = times(8, {})
  const fields = fieldsOf(await send('/System/User/TableViews', { MenuEncoding: '', Views }))
  expect(fields).toEqual(['MenuEncoding', ...Views.flatMap((_, i) => ['Name', 'Query', 'IsDefault'].map((name) => `Views.${i}.${name}`))])
})

type Parts = Record<string, Part>
type Part = Record<string, unknown> & { anyOf?: Part[]; properties?: Parts; patternProperties?: Parts; items?: Part | Part[] }
/** Where a schema lets anything through: objects of any fields, texts and lists of any length. */
const open = (part: Part, at: string): string[] => {
  if (part.anyOf) return part.anyOf.flatMap((one) => open(one, at))
  if (part.const !== undefined || part.enum || ['number', 'integer', 'boolean', 'null'].includes(String(part.type))) return []
  if (part.type === 'string') return part.maxLength || part.pattern ? [] : [at]
  // A tuple is as long as its parts are many.
  if (Array.isArray(part.items)) return part.items.flatMap((one) => open(one, `${at}[]`))
  if (part.type === 'array') return [...(part.maxItems ? [] : [at]), ...open(part.items ?? {}, `${at}[]`)]
  const fields = Object.entries(part.properties ?? (part.maxProperties ? part.patternProperties : undefined) ?? {})
  return fields.length ? fields.flatMap(([name, one]) => open(one, `${at}.${name}`)) : [at]
}

it('every call says what its body may hold; open are the queries of lists, and conditions and drawings that are refused by path', () => {
  const found = calls.flatMap((c) => (c.body ? open(c.body as never, `${c.method} ${c.path}`) : []))
  expect([...new Set(found)].toSorted()).toEqual([
    'POST /Alarm/AlarmRule/ConditionValidation.RuleConfigure',
    'POST /Project/Ddt/Flowchart/FromFile.File.Scene',
    'POST /Project/Ddt/Flowchart/Save.Patch.Frame',
    'POST /Project/Ddt/Flowchart/Save.Patch.Items[]',
    'POST /Project/Ddt/Flowchart/Save.Scene',
    'POST /Project/ImportExportTask.Query',
    'POST /System/Notice/NoticeList',
  ])
})

const kinds = new Set(['text', 'long', 'number', 'flag', 'choice'])
it.each(resources)('what reaches the store of $name without a call has to fit its fields', async (r) => {
  const db = house.database.system
  const fields = Object.entries(r.fields).filter(([, f]) => kinds.has(f.kind) && f.set !== 'never')
  for (const [name, f] of fields)
    for (const value of [{ a: 1 }, ['x'], f.kind === 'text' || f.kind === 'long' ? 'x'.repeat(f.max + 1) : 1e300]) {
      const error = await store(r)
        .create(db, serverActor(1), { [name]: value })
        .catch((e) => e)
      expect(error, `${name} ${typeof value}`).toBeInstanceOf(FieldFaults)
      expect(error.fields).toMatchObject([{ field: expect.stringMatching(new RegExp(`^${name}\\b`)) }])
    }
})
